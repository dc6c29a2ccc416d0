// norn: violation livelock line=23
//
// A barrier with a sense: the last thread to arrive turns the sense, which lets the others go, and then
// resets the counter. A fast thread may arrive at the next barrier before the reset, its arrival is
// lost, and all wait for ever.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define THREADS 2
#define ROUNDS 2

static atomic_int arrived, sense;
static int cells[THREADS];

static void wait_for_all(int *mine) {
    *mine = !*mine;
    if (atomic_fetch_add_explicit(&arrived, 1, memory_order_acq_rel) == THREADS - 1) {
        atomic_store_explicit(&sense, *mine, memory_order_release);
        atomic_store_explicit(&arrived, 0, memory_order_relaxed);
    } else {
        while (atomic_load_explicit(&sense, memory_order_acquire) != *mine)
            ;
    }
}

static void *worker(void *number) {
    int me = *(int *)number;
    int mine = 0;
    for (int round = 1; round <= ROUNDS; round++) {
        cells[me] = round;
        wait_for_all(&mine);
        assert(cells[1 - me] == round);
        wait_for_all(&mine);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    int numbers[THREADS] = {0, 1};
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, worker, &numbers[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
