/* Futexes by the system call or, with -DREFERENCE, by what the manual says of them: a lock around all that the kernel does in
   one step, and a semaphore for each thread that waits. What the programs here can find must be the same with both. */
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <norn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef REFERENCE

static inline int futex_wait(int me, atomic_uint *word, unsigned value, unsigned bits, int timed) {
    (void)me;
    struct timespec soon = {0, 1000};
    long result = syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, value, timed ? &soon : NULL, NULL, bits);
    return result == 0 ? 0 : errno == EAGAIN ? 1 : 2;
}

static inline int futex_wake(atomic_uint *word, int most, unsigned bits) {
    return (int)syscall(SYS_futex, word, FUTEX_WAKE_BITSET_PRIVATE, most, NULL, NULL, bits);
}

static inline int futex_requeue(atomic_uint *word, int wake, int move, atomic_uint *to, unsigned value) {
    long result = syscall(SYS_futex, word, FUTEX_CMP_REQUEUE_PRIVATE, wake, (long)move, to, value);
    return (int)result;
}

#else

#define THREADS 4
static pthread_mutex_t kernel = PTHREAD_MUTEX_INITIALIZER;
static struct waiter {
    atomic_uint *word;
    unsigned bits;
    sem_t woken;
} waiters[THREADS];

__attribute__((constructor)) static void start(void) {
    for (int i = 0; i < THREADS; i++) sem_init(&waiters[i].woken, 0, 0);
}

static inline int futex_wait(int me, atomic_uint *word, unsigned value, unsigned bits, int timed) {
    pthread_mutex_lock(&kernel);
    if (atomic_load_explicit(word, memory_order_relaxed) != value) {
        pthread_mutex_unlock(&kernel);
        return 1;
    }
    waiters[me].word = word;
    waiters[me].bits = bits;
    pthread_mutex_unlock(&kernel);
    if (timed) {
        struct timespec soon = {0, 1000};
        if (sem_timedwait(&waiters[me].woken, &soon) == 0) return 0;
        pthread_mutex_lock(&kernel);
        int gone = waiters[me].word == NULL;
        waiters[me].word = NULL;
        pthread_mutex_unlock(&kernel);
        if (!gone) return 2;
    }
    sem_wait(&waiters[me].woken);
    return 0;
}

/* Of those who wait at a word, some: any of them. The first `wake` of those that are chosen are woken, the others moved. */
static inline int some(atomic_uint *word, unsigned bits, int wake, int move, atomic_uint *to) {
    int there = 0, woken = 0, moved = 0;
    for (int i = 0; i < THREADS; i++) {
        if (waiters[i].word != word || !(waiters[i].bits & bits)) continue;
        there++;
        int what = norn_choose(0, move ? 2 : 1);
        if (what == 1) {
            waiters[i].word = NULL;
            sem_post(&waiters[i].woken);
            woken++;
        } else if (what == 2) {
            waiters[i].word = to;
            moved++;
        }
    }
    norn_assume(woken == (there < wake ? there : wake));
    there -= woken;
    norn_assume(moved == (there < move ? there : move));
    return woken + moved;
}

static inline int futex_wake(atomic_uint *word, int most, unsigned bits) {
    pthread_mutex_lock(&kernel);
    int woken = some(word, bits, most, 0, NULL);
    pthread_mutex_unlock(&kernel);
    return woken;
}

static inline int futex_requeue(atomic_uint *word, int wake, int move, atomic_uint *to, unsigned value) {
    pthread_mutex_lock(&kernel);
    int result = -1;
    if (atomic_load_explicit(word, memory_order_relaxed) == value) result = some(word, ~0u, wake, move, to);
    pthread_mutex_unlock(&kernel);
    return result;
}

#endif

#ifndef OUTCOME
#define OUTCOME -1
#endif
/* Fails if this is what a program is asked for. */
static inline void outcome(int found) { assert(found != OUTCOME); }
