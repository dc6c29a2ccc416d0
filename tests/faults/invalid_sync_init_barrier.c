// norn: violation invalid_sync line=14
// A barrier is initialised while it is alive.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <semaphore.h>

static pthread_barrier_t object;

int main(void) {
    pthread_barrier_init(&object, NULL, 2);
    pthread_barrier_init(&object, NULL, 2);
    pthread_barrier_destroy(&object);
    return 0;
}
