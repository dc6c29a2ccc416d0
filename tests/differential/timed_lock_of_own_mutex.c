// norn: verified executions=1
// An error-checking mutex tells its owner so, also when it is locked with a timeout.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t mutex;
int main(void) {
    pthread_mutexattr_t kind;
    struct timespec soon = {1, 0};
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&mutex, &kind);
    pthread_mutex_lock(&mutex);
    assert(pthread_mutex_timedlock(&mutex, &soon) == EDEADLK);
    return 0;
}
