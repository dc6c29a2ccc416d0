// norn: violation data_race line=13
// The serial thread frees the barrier; the other one uses it again.
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t *barrier;

static void *work(void *unused) {
    if (pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
        pthread_barrier_destroy(barrier);
        free(barrier);
    } else {
        pthread_barrier_wait(barrier);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    barrier = malloc(sizeof *barrier);
    pthread_barrier_init(barrier, NULL, 2);
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}
