// The reader-writer lock of Linux on x86 before queued locks: one word that starts at a bias, from which readers
// take one and a writer the whole. Who took too much gives it back and waits until it looks free.
// READERS threads read once, WRITERS threads write once, BOTH threads do both.
//
// The paper counts executions in which threads try in vain and take that back: 3840, or 38033 where additions do not
// commute. Nobody can tell that they were made, so they are not (see crates/explore/src/execution/attempts.rs).
//
// norn: model=sc executions=24 stale=13
// norn: model=rc11 executions=24 stale=13
// norn: model=sc algorithm=rf executions=24 stale=10
// norn: model=sc algorithm=await executions=18 paper=3840 source="Optimal-DPOR-Await, Table I"
// norn: model=sc algorithm=await:standard executions=24 paper=38033 source="Optimal-DPOR-Await, Table I"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef READERS
#define READERS 1
#endif
#ifndef WRITERS
#define WRITERS 1
#endif
#ifndef BOTH
#define BOTH 1
#endif
#define BIAS 0x00100000

static atomic_int word = BIAS;
static int shared;

static void read_lock(void) {
    int before = atomic_fetch_sub_explicit(&word, 1, memory_order_acquire);
    while (before <= 0) {
        atomic_fetch_add_explicit(&word, 1, memory_order_relaxed);
        while (atomic_load_explicit(&word, memory_order_relaxed) <= 0)
            ;
        before = atomic_fetch_sub_explicit(&word, 1, memory_order_acquire);
    }
}

static void write_lock(void) {
    int before = atomic_fetch_sub_explicit(&word, BIAS, memory_order_acquire);
    while (before != BIAS) {
        atomic_fetch_add_explicit(&word, BIAS, memory_order_relaxed);
        while (atomic_load_explicit(&word, memory_order_relaxed) != BIAS)
            ;
        before = atomic_fetch_sub_explicit(&word, BIAS, memory_order_acquire);
    }
}

static void *reader(void *unused) {
    read_lock();
    int seen = shared;
    atomic_fetch_add_explicit(&word, 1, memory_order_release);
    return (void *)(long)seen;
}

static void *writer(void *unused) {
    write_lock();
    shared++;
    atomic_fetch_add_explicit(&word, BIAS, memory_order_release);
    return NULL;
}

static void *both(void *unused) {
    reader(NULL);
    return writer(NULL);
}

int main(void) {
    pthread_t threads[READERS + WRITERS + BOTH];
    int n = 0;
    for (int i = 0; i < READERS; i++)
        pthread_create(&threads[n++], NULL, reader, NULL);
    for (int i = 0; i < WRITERS; i++)
        pthread_create(&threads[n++], NULL, writer, NULL);
    for (int i = 0; i < BOTH; i++)
        pthread_create(&threads[n++], NULL, both, NULL);
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    assert(shared == WRITERS + BOTH);
    return 0;
}
