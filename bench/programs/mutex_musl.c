// N threads take a mutex as musl has them once each: one word says whether it is taken and whether anybody may sleep, a
// second counts who waits. A sleeper waits for the number of wake-ups to change, as long as the word is as it was when
// it fell asleep. Before it sleeps, a thread looks a few times (TRIES).
//
// norn: model=sc N=2 executions=22 blocked=4
// norn: model=sc algorithm=await N=2 executions=24 blocked=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif
#ifndef TRIES
#define TRIES 1
#endif
#define TAKEN 1
#define CONTENDED 2

static atomic_int word, waiters, wakeups;
static int counter;

static void sleep_while(int value) {
    int seen = atomic_load(&wakeups);
    if (atomic_load(&word) != value)
        return;
    while (atomic_load(&wakeups) == seen)
        ;
}

static int take(int mark) {
    int expected = 0;
    return atomic_compare_exchange_strong(&word, &expected, TAKEN | mark);
}

static void lock(void) {
    if (take(0))
        return;
    for (int tries = TRIES; tries && atomic_load(&word) && !atomic_load(&waiters); tries--)
        ;
    while (!take(0)) {
        int seen = atomic_load(&word);
        if (!seen)
            continue;
        atomic_fetch_add(&waiters, 1);
        int marked = seen | CONTENDED;
        atomic_compare_exchange_strong(&word, &seen, marked);
        sleep_while(marked);
        atomic_fetch_sub(&waiters, 1);
    }
}

static void unlock(void) {
    int others = atomic_load(&waiters);
    int before = atomic_exchange(&word, 0);
    if (others || before & CONTENDED)
        atomic_fetch_add(&wakeups, 1);
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
