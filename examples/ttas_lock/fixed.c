// norn: verified executions=2
//
// A test-and-test-and-set lock: waits with plain loads, takes the lock with an exchange, which says
// whether the lock was free.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int locked;
static int counter;

static void lock(void) {
    for (;;) {
        while (atomic_load_explicit(&locked, memory_order_relaxed))
            ;
        if (!atomic_exchange_explicit(&locked, 1, memory_order_acquire))
            return;
    }
}

static void unlock(void) {
    atomic_store_explicit(&locked, 0, memory_order_release);
}

static void *worker(void *unused) {
    (void)unused;
    lock();
    counter++;
    unlock();
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 2);
    return 0;
}
