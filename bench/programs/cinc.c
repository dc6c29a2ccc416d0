// N threads, each of three fetch_adds on three counters.
//
// norn: model=rc11 N=3 executions=216
// norn: model=rc11 N=4 executions=13824 bar=28000
// norn: model=rc11 N=5 executions=1728000 slow
// norn: model=rc11 algorithm=rf N=3 executions=216
// norn: model=rc11 algorithm=rf N=4 executions=13824
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

static atomic_int x, y, z;

static void *increment(void *unused) {
    atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&z, 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < N; i++)
        pthread_create(&thread, NULL, increment, NULL);
    return 0;
}
