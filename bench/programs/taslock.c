// N threads take a test-and-set lock once each. Who finds it taken waits by exchanging 1 for 1, which changes
// nothing.
//
// norn: model=rc11 N=2 executions=2 stale=1
// norn: model=rc11 N=4 executions=24 stale=29
// norn: model=rc11 algorithm=rf N=4 executions=24 stale=17
// norn: model=tso N=3 executions=6 stale=5
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int locked;
static int counter;

static void *work(void *unused) {
    while (atomic_exchange_explicit(&locked, 1, memory_order_acquire))
        ;
    counter++;
    atomic_store_explicit(&locked, 0, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(counter == N);
    return 0;
}
