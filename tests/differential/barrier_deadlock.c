// norn: violation deadlock line=13
// Nobody spins: a thread that waits at a barrier for ever is in a deadlock, whoever joins it.
#include <pthread.h>
static pthread_barrier_t barrier;
static void *thread(void *argument) {
    pthread_barrier_wait(&barrier);
    return NULL;
}
int main(void) {
    pthread_t handle;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&handle, NULL, thread, NULL);
    pthread_join(handle, NULL);
    return 0;
}
