// N threads count themselves; one that finds itself to be the only one so far steps a counter N times and
// looks at it. (13_unverif of the SV-COMP collection, with the loop bounded by N and without the assertion.)
//
// norn: model=sc N=5 executions=14400 values paper=14400 seconds=2.72 source="Nidhugg/source in RVF-SMC's Table 2"
// norn: model=sc algorithm=rf N=5 executions=14400 values paper=14400 seconds=3.33 source="Nidhugg/rfsc in RVF-SMC's Table 2"
// norn: model=sc algorithm=rvf N=5 executions=14400 values paper=14400 seconds=7.45 source="RVF-SMC, Table 2"
// norn: model=sc N=6 executions=518400 slow values paper=518400 seconds=84 source="Nidhugg/source in RVF-SMC's Table 2"
// norn: model=sc algorithm=rf N=6 executions=518400 slow values paper=518400 seconds=134 source="Nidhugg/rfsc in RVF-SMC's Table 2"
// norn: model=sc algorithm=rvf N=6 executions=518400 slow values paper=518400 seconds=376 source="RVF-SMC, Table 2"
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 5
#endif

static atomic_uint r, s;

static void *count(void *unused) {
    atomic_fetch_add(&r, 1);
    if (atomic_load(&r) == 1) {
        for (int i = 0; i < N; i++) {
            atomic_store(&s, atomic_load(&s) + 1);
            (void)atomic_load(&s);
        }
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < N; i++)
        pthread_create(&thread, NULL, count, NULL);
    return 0;
}
