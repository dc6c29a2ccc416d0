// N threads take a mutex with three states once each (Drepper, "Futexes Are Tricky", 2011, the second version): 0 free,
// 1 taken, 2 taken and others may sleep. A sleeper waits for the number of wake-ups to change, as long as the word
// is as it was when it fell asleep.
//
// norn: model=sc N=2 executions=24
// norn: model=sc algorithm=await N=2 executions=18
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static atomic_int word, wakeups;
static int counter;

static void sleep_while(int value) {
    int seen = atomic_load(&wakeups);
    if (atomic_load(&word) != value)
        return;
    while (atomic_load(&wakeups) == seen)
        ;
}

static void lock(void) {
    int state = 0;
    if (atomic_compare_exchange_strong(&word, &state, 1))
        return;
    if (state != 2)
        state = atomic_exchange(&word, 2);
    while (state) {
        sleep_while(2);
        state = atomic_exchange(&word, 2);
    }
}

static void unlock(void) {
    if (atomic_fetch_sub(&word, 1) != 1) {
        atomic_store(&word, 0);
        atomic_fetch_add(&wakeups, 1);
    }
}

static void *work(void *unused) {
    lock();
    counter++;
    unlock();
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
