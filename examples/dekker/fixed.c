// norn: verified executions=4
//
// Dekker's mutual exclusion for two threads, with fences: the seq_cst fence between raising the own
// flag and looking at the other's keeps the two in order.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag[2], turn;
static int counter;

static void lock(int me) {
    int other = 1 - me;
    atomic_store_explicit(&flag[me], 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    while (atomic_load_explicit(&flag[other], memory_order_relaxed)) {
        if (atomic_load_explicit(&turn, memory_order_relaxed) != me) {
            atomic_store_explicit(&flag[me], 0, memory_order_relaxed);
            while (atomic_load_explicit(&turn, memory_order_relaxed) != me)
                ;
            atomic_store_explicit(&flag[me], 1, memory_order_relaxed);
            atomic_thread_fence(memory_order_seq_cst);
        }
    }
    atomic_thread_fence(memory_order_acquire);
}

static void unlock(int me) {
    atomic_store_explicit(&turn, 1 - me, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&flag[me], 0, memory_order_relaxed);
}

static void *worker(void *number) {
    int me = *(int *)number;
    lock(me);
    counter++;
    unlock(me);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int numbers[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
