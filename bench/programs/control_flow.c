// N threads load x and N store to y; one more stores to z unless it sees y, and the last stores to x if
// it sees z but not y. What the N readers may see depends on what two others have read.
//
// Each reads-from relation once: 2^N if both saw y as it was at first and the last saw z, for the
// readers then have two writes to read from; else what was seen of y, N + 1 + N. (Control_flow(N) of
// the paper on optimal model checking under release-acquire, after an example of the paper on source
// sets.)
//
// norn: model=ra algorithm=rf N=6 executions=77
// norn: model=ra algorithm=rf N=8 executions=273
// norn: model=ra algorithm=rf N=10 executions=1045
// norn: model=ra algorithm=rf N=12 executions=4121
// norn: model=sc algorithm=rvf N=6 executions=67 values
// norn: model=sc algorithm=rf N=6 executions=77 values
// norn: model=sc N=6 executions=55440 values
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 6
#endif

static atomic_int x, y, z;

static int load(atomic_int *from) {
    return atomic_load_explicit(from, memory_order_acquire);
}

static void store(atomic_int *to) {
    atomic_store_explicit(to, 1, memory_order_release);
}

static void *reader(void *unused) {
    (void)load(&x);
    return NULL;
}

static void *writer(void *unused) {
    store(&y);
    return NULL;
}

static void *first(void *unused) {
    if (!load(&y))
        store(&z);
    return NULL;
}

static void *last(void *unused) {
    if (load(&z) && !load(&y))
        store(&x);
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < N; i++) {
        pthread_create(&thread, NULL, reader, NULL);
        pthread_create(&thread, NULL, writer, NULL);
    }
    pthread_create(&thread, NULL, first, NULL);
    pthread_create(&thread, NULL, last, NULL);
    return 0;
}
