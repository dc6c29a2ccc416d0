// A reader-writer lock: a count of readers, or -1 for a writer. A writer changes two variables, a reader reads both.
// With -DWRONG a reader does not look for a writer.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int l;
static atomic_int a, b;
static int seen_a, seen_b, again_a, again_b;

static void enter_reader(atomic_int *l) {
#ifdef WRONG
    atomic_fetch_add(l, 1);
#else
    for (;;) {
        int readers = atomic_load(l);
        if (readers >= 0 && atomic_compare_exchange_strong(l, &readers, readers + 1))
            return;
    }
#endif
}

static void leave_reader(atomic_int *l) {
    atomic_fetch_sub(l, 1);
}

static void enter_writer(atomic_int *l) {
    int none = 0;
    while (!atomic_compare_exchange_strong(l, &none, -1))
        none = 0;
}

static void leave_writer(atomic_int *l) {
    atomic_fetch_add(l, 1);
}

static void *writer(void *arg) {
    enter_writer(&l);
    atomic_store_explicit(&a, 1, memory_order_relaxed);
    atomic_store_explicit(&b, 1, memory_order_relaxed);
    leave_writer(&l);
    return 0;
}

static void *reader(void *arg) {
    enter_reader(&l);
    seen_a = atomic_load_explicit(&a, memory_order_relaxed);
    seen_b = atomic_load_explicit(&b, memory_order_relaxed);
    leave_reader(&l);
    return 0;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, writer, 0);
    pthread_create(&t[1], 0, reader, 0);
    enter_reader(&l);
    again_a = atomic_load_explicit(&a, memory_order_relaxed);
    again_b = atomic_load_explicit(&b, memory_order_relaxed);
    leave_reader(&l);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
}
