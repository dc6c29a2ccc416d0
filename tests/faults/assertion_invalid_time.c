// norn: violation assertion line=15
// A wait until a time with too many nanoseconds fails at once; the wrong answer is asserted.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

int main(void) {
    struct timespec limit = {1, 1000000000};
    pthread_mutex_lock(&mutex);
    int code = pthread_cond_timedwait(&condition, &mutex, &limit);
    assert(code == 0 || code == ETIMEDOUT);
    pthread_mutex_unlock(&mutex);
    return 0;
}
