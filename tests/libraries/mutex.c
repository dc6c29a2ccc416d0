// A mutex made of a compare-exchange, and two threads that each add one.
// With -DWRONG it looks whether the mutex is free and takes it in two steps.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int m;
static atomic_int counter;

static void take(atomic_int *m) {
#ifdef WRONG
    while (atomic_load(m))
        ;
    atomic_store(m, 1);
#else
    int free = 0;
    while (!atomic_compare_exchange_strong(m, &free, 1))
        free = 0;
#endif
}

static void give(atomic_int *m) {
    atomic_store_explicit(m, 0, memory_order_release);
}

static void *worker(void *arg) {
    take(&m);
    int seen = atomic_load_explicit(&counter, memory_order_relaxed);
    atomic_store_explicit(&counter, seen + 1, memory_order_relaxed);
    give(&m);
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
}
