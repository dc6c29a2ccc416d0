// norn: verified executions=2
// The near twin, without the fault.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

int main(void) {
    struct timespec limit = {1, 0};
    pthread_mutex_lock(&mutex);
    pthread_cond_timedwait(&condition, &mutex, &limit);
    pthread_mutex_unlock(&mutex);
    return 0;
}
