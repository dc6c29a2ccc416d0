// N threads that store the same value to one location and then load it (45_monabsex1 of the SV-COMP
// collection, with the assertion that holds).
//
// Any order of the stores, and each load sees its own or a later one: (N!)² executions. There are
// (N + 1)^(N − 1) reads-from relations.
//
// norn: model=sc N=4 executions=576
// norn: model=sc N=5 executions=14400
// norn: model=sc N=6 executions=518400 slow
// norn: model=sc N=7 executions=25401600 slow values paper=25401600 seconds=2819 source="Nidhugg/source in RVF-SMC's Table 1"
// norn: model=sc algorithm=rf N=4 executions=125
// norn: model=sc algorithm=rf N=5 executions=1296
// norn: model=sc algorithm=rf N=6 executions=16807
// norn: model=sc algorithm=rf N=7 executions=262144 slow values paper=262144 seconds=33 source="Nidhugg/rfsc in RVF-SMC's Table 1"
// norn: model=sc algorithm=rvf N=7 executions=1 values paper=1 seconds=0.09 source="RVF-SMC, Table 1"
// norn: model=sc algorithm=rvf N=8 executions=1 values paper=1 seconds=0.09 source="RVF-SMC, Table 1"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 5
#endif

static atomic_int s;

static void *both(void *unused) {
    int l = 4;
    atomic_store(&s, l);
    assert(atomic_load(&s) == l);
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < N; i++)
        pthread_create(&thread, NULL, both, NULL);
    return 0;
}
