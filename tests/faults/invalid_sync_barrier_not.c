// norn: verified executions=1
// The near twin of invalid_sync_barrier.c that has nothing wrong.
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
    pthread_barrier_init(&barrier, NULL, 1);
    pthread_create(&a, NULL, first, NULL);
    pthread_join(a, NULL);
    return 0;
}
