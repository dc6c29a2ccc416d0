// norn: violation data_race line=35
//
// Dekker's mutual exclusion for two threads. Nothing keeps raising the own flag before looking at the
// other's: both may see the other's flag down and enter.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag[2], turn;
static int counter;

static void lock(int me) {
    int other = 1 - me;
    atomic_store_explicit(&flag[me], 1, memory_order_relaxed);
    while (atomic_load_explicit(&flag[other], memory_order_relaxed)) {
        if (atomic_load_explicit(&turn, memory_order_relaxed) != me) {
            atomic_store_explicit(&flag[me], 0, memory_order_relaxed);
            while (atomic_load_explicit(&turn, memory_order_relaxed) != me)
                ;
            atomic_store_explicit(&flag[me], 1, memory_order_relaxed);
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
