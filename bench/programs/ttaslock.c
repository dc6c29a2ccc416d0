// N threads take a test-and-test-and-set lock once each: who finds it taken waits until it looks free before it
// tries again.
//
// norn: model=sc N=3 executions=36 stale=26 paper=36 source="Optimal-DPOR-Await, Table I"
// norn: model=sc N=4 executions=576 stale=540 paper=576 source="Optimal-DPOR-Await, Table I"
// norn: model=sc algorithm=rf N=3 executions=36 stale=22 paper=36 source="Optimal-DPOR-Await, Table I"
// norn: model=sc algorithm=rf N=4 executions=576 stale=368 paper=576 source="Optimal-DPOR-Await, Table I"
// norn: model=sc algorithm=await N=3 executions=36 paper=36 source="Optimal-DPOR-Await, Table I"
// norn: model=sc algorithm=await N=4 executions=576 paper=576 source="Optimal-DPOR-Await, Table I"
// norn: model=c20 N=4 executions=576 stale=540
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int locked;
static int counter;

static void lock(void) {
    for (;;) {
        while (atomic_load_explicit(&locked, memory_order_relaxed))
            ;
        if (!atomic_exchange_explicit(&locked, 1, memory_order_acquire))
            return;
    }
}

static void *work(void *unused) {
    lock();
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
