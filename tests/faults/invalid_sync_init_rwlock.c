// norn: violation invalid_sync line=14
// A reader-writer lock is initialised while it is alive.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <semaphore.h>

static pthread_rwlock_t object;

int main(void) {
    pthread_rwlock_init(&object, NULL);
    pthread_rwlock_init(&object, NULL);
    pthread_rwlock_destroy(&object);
    return 0;
}
