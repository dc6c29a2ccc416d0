// norn: verified executions=1
// A barrier for one thread has that as its serial one.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_barrier_t barrier;

int main(void) {
    assert(pthread_barrier_init(&barrier, NULL, 0) == EINVAL);
    pthread_barrier_init(&barrier, NULL, 1);
    assert(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
    return 0;
}
