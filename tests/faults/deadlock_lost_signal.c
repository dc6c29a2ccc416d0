// norn: violation deadlock line=17
// A signal that nobody waits for yet is lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *first(void *unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    if (ready >= 0)
        pthread_cond_wait(&changed, &m);
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
