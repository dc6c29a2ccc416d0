// norn: verified executions=9
//
// A ring buffer for one producer and one consumer. Indices only grow; the buffer is full when they
// are as far apart as it has slots.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define SLOTS 2
#define ITEMS 3

static int slots[SLOTS];
static atomic_uint head, tail;

static bool put(int value) {
    unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
    unsigned h = atomic_load_explicit(&head, memory_order_acquire);
    if (t - h >= SLOTS)
        return false;
    slots[t % SLOTS] = value;
    atomic_store_explicit(&tail, t + 1, memory_order_release);
    return true;
}

static bool get(int *value) {
    unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
    unsigned t = atomic_load_explicit(&tail, memory_order_acquire);
    if (t == h)
        return false;
    *value = slots[h % SLOTS];
    atomic_store_explicit(&head, h + 1, memory_order_release);
    return true;
}

static void *producer(void *unused) {
    (void)unused;
    for (int i = 1; i <= ITEMS; i++)
        while (!put(i))
            ;
    return NULL;
}

static void *consumer(void *unused) {
    (void)unused;
    for (int i = 1; i <= ITEMS; i++) {
        int value;
        while (!get(&value))
            ;
        assert(value == i);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, producer, NULL);
    pthread_create(&threads[1], NULL, consumer, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
