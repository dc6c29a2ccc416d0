// The main thread counts an index up and starts a thread after each step; each of the N threads writes
// the cell that the index names when it looks.
//
// The i-th thread sees the index of its start or a later one: N! reads-from relations.
//
// norn: model=ra N=5 executions=945 paper=945 source="RCMC in TRACER's Table 3"
// norn: model=ra N=6 executions=10395 paper=10395 source="RCMC in TRACER's Table 5"
// norn: model=ra N=7 executions=135135 paper=135135 source="RCMC in TRACER's Table 5"
// norn: model=ra N=8 executions=2027025 slow paper=2027025 source="RCMC in TRACER's Table 5"
// norn: model=ra algorithm=rf N=5 executions=120 paper=120 source="TRACER, Table 3"
// norn: model=ra algorithm=rf N=6 executions=720 paper=720 source="TRACER, Table 5"
// norn: model=ra algorithm=rf N=7 executions=5040 paper=5040 source="TRACER, Table 5"
// norn: model=ra algorithm=rf N=8 executions=40320 paper=40320 source="TRACER, Table 5"
// norn: model=ra algorithm=rf N=9 executions=362880 slow paper=362880 source="TRACER, Table 5"
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 7
#endif

static atomic_int cells[N];
static atomic_int index_of_next = -1;

static void *mark(void *unused) {
    int index = atomic_load_explicit(&index_of_next, memory_order_acquire);
    atomic_store_explicit(&cells[index], 1, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++) {
        int index = atomic_load_explicit(&index_of_next, memory_order_acquire);
        atomic_store_explicit(&index_of_next, index + 1, memory_order_release);
        pthread_create(&threads[i], NULL, mark, NULL);
    }
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
