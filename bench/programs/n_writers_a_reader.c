// N threads that store to one location, and one that loads it.
//
// norn: model=rc11 N=4 executions=120 growth
// norn: model=rc11 N=5 executions=720 growth
// norn: model=rc11 N=6 executions=5040 bar=5400 growth paper=5040 source="GenMC, Section 6.2, Nw1r(5)"
// norn: model=rc11 N=7 executions=40320 growth
// norn: model=rc11 N=8 executions=362880 peer=208000 growth
// norn: model=rc11 N=9 executions=3628800 growth long paper=3628800 source="GenMC, Section 6.2, Nw1r(8)"
// norn: model=rc11 N=20 executions=20000 limit=20000 growth
// norn: model=rc11 N=40 executions=20000 limit=20000 growth
// norn: model=rc11 N=80 executions=20000 limit=20000 growth
// norn: model=rc11 N=160 executions=20000 limit=20000 growth
// norn: model=ra N=7 executions=40320 paper=40320 source="RCMC in TRACER's Table 4"
// norn: model=ra N=8 executions=362880 paper=362880 source="RCMC in TRACER's Table 4"
// norn: model=ra N=9 executions=3628800 slow paper=3628800 source="RCMC in TRACER's Table 4"
// norn: model=ra N=10 executions=39916800 slow paper=39916800 source="RCMC in TRACER's Table 4"
// norn: model=ra algorithm=rf N=7 executions=8 paper=8 source="TRACER, Table 4"
// norn: model=ra algorithm=rf N=8 executions=9 paper=9 source="TRACER, Table 4"
// norn: model=ra algorithm=rf N=9 executions=10 paper=10 source="TRACER, Table 4"
// norn: model=ra algorithm=rf N=10 executions=11 paper=11 source="TRACER, Table 4"
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 6
#endif

static atomic_int x;

static void *writer(void *argument) {
    atomic_store_explicit(&x, (int)(intptr_t)argument, memory_order_release);
    return NULL;
}

static void *reader(void *unused) {
    (void)atomic_load_explicit(&x, memory_order_acquire);
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < N; i++)
        pthread_create(&thread, NULL, writer, (void *)(intptr_t)(i + 1));
    pthread_create(&thread, NULL, reader, NULL);
    return 0;
}
