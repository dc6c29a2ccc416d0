// norn: violation assertion line=17
// The serial thread may be one that does not ask.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;

static void *work(void *unused) {
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, work, NULL);
    assert(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
    pthread_join(thread, NULL);
    return 0;
}
