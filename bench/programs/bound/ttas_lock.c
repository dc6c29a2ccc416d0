// A test-and-test-and-set lock: two threads take it N times each to add to a counter.
//
// With -DBUG a thread that has seen the lock free just takes it: the counter misses an addition.
//
// norn: model=sc verdict=verified
// norn: model=sc -DBUG kind=assertion bound=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

static atomic_int held, counter;

static void lock(void) {
    for (;;) {
        while (atomic_load(&held))
            ;
#ifdef BUG
        atomic_store(&held, 1);
        return;
#else
        if (!atomic_exchange(&held, 1))
            return;
#endif
    }
}

static void *work(void *unused) {
    for (int i = 0; i < N; i++) {
        lock();
        atomic_store(&counter, atomic_load(&counter) + 1);
        atomic_store(&held, 0);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 2 * N);
    return 0;
}
