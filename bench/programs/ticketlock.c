// N threads take a ticket lock once each.
//
// norn: model=rc11 N=3 executions=6
// norn: model=rc11 N=4 executions=24
// norn: model=rc11 algorithm=rf N=4 executions=24
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_uint next, serving;
static int counter;

static void *work(void *unused) {
    unsigned mine = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
    while (atomic_load_explicit(&serving, memory_order_acquire) != mine)
        ;
    counter++;
    atomic_store_explicit(&serving, mine + 1, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(counter == N);
    return 0;
}
