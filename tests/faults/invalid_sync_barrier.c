// norn: violation invalid_sync line=13
// A barrier that was never initialised.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static pthread_barrier_t barrier;

static void *first(void *unused) {
    (void)unused;
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, first, NULL);
    pthread_join(a, NULL);
    return 0;
}
