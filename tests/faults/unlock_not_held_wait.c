// norn: violation unlock_not_held line=10
// A thread waits with a mutex that it does not hold.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

int main(void) {
    assert(pthread_cond_wait(&condition, &mutex) != 0);
    return 0;
}
