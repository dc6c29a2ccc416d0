// Two workers that hand a job to each other by a latch and a flag each, N times. (The pgsql program of the
// literature on weak memory, with all loops bounded by N and without the assertions.)
//
// norn: model=sc N=3 executions=3906 values paper=3906 seconds=0.51 source="Nidhugg/source in RVF-SMC's Table 2"
// norn: model=sc algorithm=rf N=3 executions=3906 values paper=3906 seconds=1.01 source="Nidhugg/rfsc in RVF-SMC's Table 2"
// norn: model=sc algorithm=rvf N=3 executions=3906 values paper=3906 seconds=3.30 source="RVF-SMC, Table 2"
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static atomic_int latch[2] = {1, 0}, flag[2] = {1, 0};

static void *worker(void *argument) {
    int own = (int)(intptr_t)argument, other = 1 - own;
    for (int i = 0; i < N; i++) {
        for (int j = 0; !atomic_load(&latch[own]) && j < N; j++)
            ;
        if (!atomic_load(&latch[own]))
            return NULL;
        atomic_store(&latch[own], 0);
        if (atomic_load(&flag[own])) {
            atomic_store(&flag[own], 0);
            atomic_store(&flag[other], 1);
            atomic_store(&latch[other], 1);
        }
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, (void *)0);
    pthread_create(&thread, NULL, worker, (void *)1);
    return 0;
}
