// norn: violation invalid_sync line=13
// A mutex that is used after it was destroyed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_mutex_destroy(&m);
    pthread_create(&a, NULL, first, NULL);
    pthread_join(a, NULL);
    return 0;
}
