// norn: verified executions=3
//
// A sequence lock: the writer makes the counter odd while it writes; a reader accepts what it read
// only if the counter was even and is unchanged. Fences after Boehm, "Can seqlocks get along with
// programming language memory models?" (MSPC 2012).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic unsigned sequence;
static _Atomic int left, right;

static void write_both(int value) {
    unsigned s = atomic_load_explicit(&sequence, memory_order_relaxed);
    atomic_store_explicit(&sequence, s + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&left, value, memory_order_relaxed);
    atomic_store_explicit(&right, value, memory_order_relaxed);
    atomic_store_explicit(&sequence, s + 2, memory_order_release);
}

static void read_both(int *l, int *r) {
    unsigned before, after;
    do {
        before = atomic_load_explicit(&sequence, memory_order_acquire);
        *l = atomic_load_explicit(&left, memory_order_relaxed);
        *r = atomic_load_explicit(&right, memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
        after = atomic_load_explicit(&sequence, memory_order_relaxed);
    } while (before != after || before % 2 != 0);
}

static void *writer(void *unused) {
    (void)unused;
    write_both(1);
    write_both(2);
    return NULL;
}

static void *reader(void *unused) {
    (void)unused;
    int l, r;
    read_both(&l, &r);
    assert(l == r);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
