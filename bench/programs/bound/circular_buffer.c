// A ring buffer whose producer makes a slot visible before it has filled it.
//
// After the model of `circular_buffer` in SCTBench: one producer, one consumer, and the counter of
// elements is raised too early.
//
// norn: model=sc kind=assertion bound=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SLOTS 4
#ifndef N
#define N 3
#endif

static atomic_int slots[SLOTS], count;

static void *produce(void *unused) {
    for (int i = 0; i < N; i++) {
        if (atomic_load(&count) == SLOTS)
            return NULL;
        atomic_fetch_add(&count, 1);
        atomic_store(&slots[i % SLOTS], i + 1);
    }
    return NULL;
}

static void *consume(void *unused) {
    for (int i = 0; i < N; i++) {
        if (atomic_load(&count) == 0)
            return NULL;
        assert(atomic_load(&slots[i % SLOTS]) == i + 1);
        atomic_fetch_sub(&count, 1);
    }
    return NULL;
}

int main(void) {
    pthread_t producer, consumer;
    pthread_create(&producer, NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL);
    return 0;
}
