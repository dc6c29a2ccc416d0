// N threads sort an array of N + 1 numbers: thread i puts the numbers at i and i + 1 in order, again
// and again, as bubble sort does. y[i] counts who of threads i and i + 1 has to work next on the number
// between them; each waits for its turn. (Fig. 1 of the paper on loops without effect, for larger
// arrays.) There is one execution: nobody looks before its turn.
//
// norn: model=sc N=4 executions=1 paper=1 source="Optimal-DPOR-Await, Table I"
// norn: model=sc N=5 executions=1 paper=1 source="Optimal-DPOR-Await, Table I"
// norn: model=sc N=6 executions=1 paper=1 source="Optimal-DPOR-Await, Table I"
// norn: model=sc algorithm=rf N=4 executions=1 paper=1 source="Optimal-DPOR-Await, Table I"
// norn: model=sc algorithm=rf N=5 executions=1 paper=1 source="Optimal-DPOR-Await, Table I"
// norn: model=sc algorithm=rf N=6 executions=1 paper=1 source="Optimal-DPOR-Await, Table I"
// norn: model=sc algorithm=await N=4 executions=1 paper=1 source="Optimal-DPOR-Await, Table I"
// norn: model=sc algorithm=await N=5 executions=1 paper=1 source="Optimal-DPOR-Await, Table I"
// norn: model=sc algorithm=await N=6 executions=1 paper=1 source="Optimal-DPOR-Await, Table I"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif

static atomic_int x[N + 1], y[N];

static void await(atomic_int *turn, int value) {
    while (atomic_load(turn) != value)
        ;
}

static void order(int i) {
    int left = atomic_load(&x[i]), right = atomic_load(&x[i + 1]);
    if (left > right) {
        atomic_store(&x[i], right);
        atomic_store(&x[i + 1], left);
    }
}

static void *sort(void *argument) {
    int i = (int)(intptr_t)argument;
    for (int round = 0; round < N - i; round++) {
        if (round > 0)
            await(&y[i], 2 * round);
        if (i > 0)
            await(&y[i - 1], 2 * round + 1);
        order(i);
        if (i > 0)
            atomic_store(&y[i - 1], 2 * round + 2);
        if (round < N - 1 - i)
            atomic_store(&y[i], 2 * round + 1);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i <= N; i++)
        atomic_store(&x[i], N - i);
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, sort, (void *)(intptr_t)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i <= N; i++)
        assert(atomic_load(&x[i]) == i);
    return 0;
}
