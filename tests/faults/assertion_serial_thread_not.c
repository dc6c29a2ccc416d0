// norn: verified executions=3
// The near twin, without the fault.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_barrier_t barrier;
static int who = -1;

static void *work(void *number) {
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        who = (int)(long)number;
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    pthread_barrier_init(&barrier, NULL, 3);
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(who >= 0 && who < 3);
    return 0;
}
