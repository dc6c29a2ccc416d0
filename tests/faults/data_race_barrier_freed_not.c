// norn: verified executions=2
// A barrier may be destroyed and freed by any of those who met there.
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t *barrier;

static void *work(void *unused) {
    if (pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
        pthread_barrier_destroy(barrier);
        free(barrier);
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
