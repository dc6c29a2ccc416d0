// norn: violation assertion line=19
// Any thread that meets at a barrier may be the serial one.
#include <assert.h>
#include <pthread.h>
static pthread_barrier_t barrier;
static int serial;
static void *thread(void *argument) {
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        serial = 1;
    return NULL;
}
int main(void) {
    pthread_t handle;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&handle, NULL, thread, NULL);
    pthread_barrier_wait(&barrier);
    pthread_join(handle, NULL);
    pthread_barrier_destroy(&barrier);
    assert(serial == 0);
    return 0;
}
