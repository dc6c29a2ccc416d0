// norn: verified executions=1
// The near twin, without the fault.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <semaphore.h>

static pthread_rwlock_t object;

int main(void) {
    pthread_rwlock_init(&object, NULL);
    pthread_rwlock_destroy(&object);
    pthread_rwlock_init(&object, NULL);
    pthread_rwlock_destroy(&object);
    return 0;
}
