// norn: verified executions=4
//
// Peterson's mutual exclusion for two threads (1981). Each announces that it wants to enter before it
// looks at the other; that the store comes before the load needs seq_cst.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int wants[2], turn;
static int counter;

static void lock(int me) {
    atomic_store_explicit(&wants[me], 1, memory_order_seq_cst);
    atomic_store_explicit(&turn, 1 - me, memory_order_seq_cst);
    while (atomic_load_explicit(&wants[1 - me], memory_order_seq_cst) &&
           atomic_load_explicit(&turn, memory_order_seq_cst) == 1 - me)
        ;
}

static void unlock(int me) {
    atomic_store_explicit(&wants[me], 0, memory_order_release);
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
