// Two threads that N times store the sum of both counters into one of them, and one that checks a
// bound on both (the Fibonacci program of the SV-COMP collection).
//
// norn: model=rc11 N=3 executions=2258
// norn: model=rc11 N=4 executions=34205 bar=5200
// norn: model=rc11 N=5 executions=525630 peer=212000
// norn: model=ra N=4 executions=34205
// norn: model=ra N=5 executions=525630 paper=525630 source="RCMC in TRACER's Table 3"
// norn: model=ra algorithm=rf N=4 executions=34205
// norn: model=sc N=4 executions=19605 values
// norn: model=sc algorithm=rf N=4 executions=19605 values
// norn: model=sc algorithm=rvf N=4 executions=19605 values
// norn: model=ra algorithm=rf N=5 executions=525630 paper=525630 source="TRACER, Table 3"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

static atomic_int x = 1, y = 1;

static void *left(void *unused) {
    for (int i = 0; i < N; i++) {
        int a = atomic_load_explicit(&x, memory_order_acquire);
        int b = atomic_load_explicit(&y, memory_order_acquire);
        atomic_store_explicit(&x, a + b, memory_order_release);
    }
    return NULL;
}

static void *right(void *unused) {
    for (int i = 0; i < N; i++) {
        int a = atomic_load_explicit(&x, memory_order_acquire);
        int b = atomic_load_explicit(&y, memory_order_acquire);
        atomic_store_explicit(&y, a + b, memory_order_release);
    }
    return NULL;
}

static void *check(void *unused) {
    int a = atomic_load_explicit(&x, memory_order_acquire);
    if (a > 144)
        assert(0);
    int b = atomic_load_explicit(&y, memory_order_acquire);
    assert(b <= 144);
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_create(&c, NULL, check, NULL);
    return 0;
}
