// norn: verified executions=2
// The near twin of deadlock.c that has nothing wrong.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n);
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&n);
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
