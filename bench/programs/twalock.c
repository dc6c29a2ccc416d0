// N threads take a ticket lock with a waiting array once each (Dice, Kogan, "TWA - Ticket Locks Augmented with a
// Waiting Array", 2019): who has to wait for more than one other thread waits for a change of a slot of the array
// first. The paper counts a mock-up of its own, which is not published.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif
#define SLOTS 4

static atomic_int ticket, grant, waiting[SLOTS];
static int counter;

static void lock(void) {
    int mine = atomic_fetch_add(&ticket, 1);
    if (mine - atomic_load(&grant) > 1) {
        for (;;) {
            int seen = atomic_load(&waiting[mine % SLOTS]);
            if (mine - atomic_load(&grant) <= 1)
                break;
            while (atomic_load(&waiting[mine % SLOTS]) == seen)
                ;
        }
    }
    while (atomic_load(&grant) != mine)
        ;
}

static void unlock(void) {
    int next = atomic_load(&grant) + 1;
    atomic_store(&grant, next);
    atomic_fetch_add(&waiting[(next + 1) % SLOTS], 1);
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
