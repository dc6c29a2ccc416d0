// norn: verified executions=1
// The near twin, without the fault.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <semaphore.h>

static pthread_cond_t object;

int main(void) {
    pthread_cond_init(&object, NULL);
    pthread_cond_destroy(&object);
    pthread_cond_init(&object, NULL);
    pthread_cond_destroy(&object);
    return 0;
}
