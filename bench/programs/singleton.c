// One thread makes an object; after it, N threads put a letter into it, one of them an X and the others
// a Y; at the end the main thread looks at it. (bound/singleton.c for more threads, without the
// assertion.)
//
// Any order of the letters: N! executions. The main thread sees one of N: as many reads-from relations.
//
// norn: model=sc N=6 executions=720
// norn: model=sc N=7 executions=5040
// norn: model=sc algorithm=rf N=6 executions=6
// norn: model=sc algorithm=rf N=7 executions=7
// norn: model=sc algorithm=rf N=20 executions=20 values paper=20 seconds=0.08 source="Nidhugg/rfsc in RVF-SMC's Table 1"
// norn: model=sc algorithm=rf N=30 executions=30 values paper=30 seconds=0.10 source="Nidhugg/rfsc in RVF-SMC's Table 1"
// norn: model=sc algorithm=rvf N=20 executions=2 values paper=2 seconds=0.07 source="RVF-SMC, Table 1"
// norn: model=sc algorithm=rvf N=30 executions=2 values paper=2 seconds=0.08 source="RVF-SMC, Table 1"
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef N
#define N 6
#endif

static _Atomic(char) *object;

static void *make(void *unused) {
    object = malloc(sizeof *object);
    return NULL;
}

static void *put(void *argument) {
    atomic_store(object, (intptr_t)argument == 0 ? 'X' : 'Y');
    return NULL;
}

int main(void) {
    pthread_t maker, threads[N];
    pthread_create(&maker, NULL, make, NULL);
    pthread_join(maker, NULL);
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, put, (void *)(intptr_t)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    (void)atomic_load(object);
    free(object);
    return 0;
}
