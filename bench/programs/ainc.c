// N threads of one fetch_add on one counter.
//
// norn: model=rc11 N=4 executions=24 growth
// norn: model=rc11 N=5 executions=120 growth
// norn: model=rc11 N=6 executions=720 growth
// norn: model=rc11 N=7 executions=5040 bar=28000 growth
// norn: model=rc11 N=8 executions=40320 peer=36000 growth
// norn: model=rc11 N=9 executions=362880 growth long
// norn: model=rc11 N=20 executions=2000 limit=2000 growth
// norn: model=rc11 N=40 executions=1000 limit=1000 growth
// norn: model=rc11 N=80 executions=500 limit=500 growth
// norn: model=rc11 algorithm=rf N=6 executions=720
// norn: model=rc11 algorithm=rf N=7 executions=5040
// norn: model=rc11 algorithm=rf N=8 executions=40320
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 7
#endif

static atomic_int x;

static void *increment(void *unused) {
    atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < N; i++)
        pthread_create(&thread, NULL, increment, NULL);
    return 0;
}
