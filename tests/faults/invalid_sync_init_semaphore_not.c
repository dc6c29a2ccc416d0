// norn: verified executions=1
// The near twin, without the fault.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <semaphore.h>

static sem_t object;

int main(void) {
    sem_init(&object, 0, 1);
    sem_destroy(&object);
    sem_init(&object, 0, 1);
    sem_destroy(&object);
    return 0;
}
