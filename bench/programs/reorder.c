// N setters write a and then b; a checker looks whether it sees both writes or none. (The program of
// bound/reorder.c, without the assertion.)
//
// There are 2N³ + N² + 1 reads-from relations.
//
// norn: model=sc N=2 executions=56
// norn: model=sc N=3 executions=1248
// norn: model=sc N=4 executions=40032
// norn: model=sc algorithm=rf N=2 executions=21
// norn: model=sc algorithm=rf N=3 executions=64
// norn: model=sc algorithm=rf N=4 executions=145
// norn: model=sc algorithm=rf N=9 executions=1540 values paper=1540 seconds=0.44 source="Nidhugg/rfsc in RVF-SMC's Table 1"
// norn: model=sc algorithm=rf N=30 executions=54901 slow values paper=54901 seconds=49 source="Nidhugg/rfsc in RVF-SMC's Table 1"
// norn: model=sc algorithm=rvf N=9 executions=4 values paper=4 seconds=0.10 source="RVF-SMC, Table 1"
// norn: model=sc algorithm=rvf N=30 executions=4 values paper=4 seconds=0.09 source="RVF-SMC, Table 1"
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 9
#endif

static atomic_int a, b;

static void *set(void *unused) {
    atomic_store(&a, 1);
    atomic_store(&b, -1);
    return NULL;
}

static void *check(void *unused) {
    int seen = (atomic_load(&a) == 0 && atomic_load(&b) == 0) ||
               (atomic_load(&a) == 1 && atomic_load(&b) == -1);
    (void)seen;
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < N; i++)
        pthread_create(&thread, NULL, set, NULL);
    pthread_create(&thread, NULL, check, NULL);
    return 0;
}
