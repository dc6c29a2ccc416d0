// norn: verified executions=1
// The near twin, without the fault.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <semaphore.h>

static pthread_mutex_t object;

int main(void) {
    pthread_mutex_init(&object, NULL);
    pthread_mutex_destroy(&object);
    pthread_mutex_init(&object, NULL);
    pthread_mutex_destroy(&object);
    return 0;
}
