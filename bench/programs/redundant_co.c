// Two threads that store N times each to one location, and one that loads it twice. (Fig. 8 of the
// paper on optimal model checking under release-acquire.)
//
// Each reads-from relation once: 3N² + 3N + 1.
//
// norn: model=ra N=5 executions=16632 paper=16632 source="RCMC in TRACER's Table 4"
// norn: model=ra N=10 executions=42678636 slow paper=42678636 source="RCMC in TRACER's Table 4"
// norn: model=ra algorithm=rf N=5 executions=91 paper=91 source="TRACER, Table 4"
// norn: model=ra algorithm=rf N=10 executions=331 paper=331 source="TRACER, Table 4"
// norn: model=ra algorithm=rf N=15 executions=721 paper=721 source="TRACER, Table 4"
// norn: model=ra algorithm=rf N=20 executions=1261 paper=1261 source="TRACER, Table 4"
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 20
#endif

static atomic_int x;

static void *writer(void *unused) {
    for (int i = 0; i < N; i++)
        atomic_store_explicit(&x, 1, memory_order_release);
    return NULL;
}

static void *reader(void *unused) {
    (void)atomic_load_explicit(&x, memory_order_acquire);
    (void)atomic_load_explicit(&x, memory_order_acquire);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    pthread_create(&thread, NULL, writer, NULL);
    pthread_create(&thread, NULL, reader, NULL);
    return 0;
}
