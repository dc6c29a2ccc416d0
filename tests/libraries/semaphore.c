// A semaphore made of a compare-exchange; one thread produces twice, two consume.
// With -DWRONG a consumer does not wait for the count.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int s;
static atomic_int made;
static int first, second;

static void down(atomic_int *s) {
#ifdef WRONG
    atomic_fetch_sub_explicit(s, 1, memory_order_acquire);
#else
    for (;;) {
        int count = atomic_load_explicit(s, memory_order_relaxed);
        if (count > 0 && atomic_compare_exchange_strong_explicit(s, &count, count - 1, memory_order_acquire,
                                                                 memory_order_relaxed))
            return;
    }
#endif
}

static void up(atomic_int *s) {
    atomic_fetch_add_explicit(s, 1, memory_order_release);
}

static void *consumer(void *seen) {
    down(&s);
    *(int *)seen = atomic_load_explicit(&made, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, consumer, &first);
    pthread_create(&t[1], 0, consumer, &second);
    for (int i = 1; i <= 2; i++) {
        atomic_store_explicit(&made, i, memory_order_relaxed);
        up(&s);
    }
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
}
