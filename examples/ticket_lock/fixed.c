// norn: verified executions=1
//
// A ticket lock: each thread draws the next number and waits until it is served.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define THREADS 3

static atomic_uint next_ticket, now_serving;
static int counter;

static void lock(void) {
    unsigned ticket = atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
    while (atomic_load_explicit(&now_serving, memory_order_acquire) != ticket)
        ;
}

static void unlock(void) {
    unsigned served = atomic_load_explicit(&now_serving, memory_order_relaxed);
    atomic_store_explicit(&now_serving, served + 1, memory_order_release);
}

static void *worker(void *unused) {
    (void)unused;
    lock();
    counter++;
    unlock();
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(counter == THREADS);
    return 0;
}
