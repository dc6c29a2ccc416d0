// norn: verified executions=1
// The near twin, without the fault.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

int main(void) {
    pthread_mutex_lock(&mutex);
    assert(pthread_mutex_lock(&mutex) == EDEADLK);
    pthread_mutex_unlock(&mutex);
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    return 0;
}
