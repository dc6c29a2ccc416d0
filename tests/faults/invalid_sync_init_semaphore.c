// norn: violation invalid_sync line=14
// A semaphore is initialised while it is alive.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <semaphore.h>

static sem_t object;

int main(void) {
    sem_init(&object, 0, 1);
    sem_init(&object, 0, 1);
    sem_destroy(&object);
    return 0;
}
