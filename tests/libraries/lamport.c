// Lamport's fast mutex (ACM TOCS 5(1), 1987) protecting a counter: N threads, each adds one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

struct fast_mutex {
    atomic_int x, y;
    atomic_int b[N + 1];
};

static struct fast_mutex mutex;
static int counter;

static void fast_lock(struct fast_mutex *m, int me) {
    for (;;) {
        m->b[me] = 1;
        m->x = me;
        if (m->y != 0) {
            m->b[me] = 0;
            while (m->y != 0)
                ;
            continue;
        }
        m->y = me;
        if (m->x == me)
            return;
        m->b[me] = 0;
        for (int j = 1; j <= N; j++)
            while (m->b[j])
                ;
        if (m->y == me)
            return;
        while (m->y != 0)
            ;
    }
}

static void fast_unlock(struct fast_mutex *m, int me) {
    m->y = 0;
    m->b[me] = 0;
}

static void *worker(void *arg) {
    int me = (int)(long)arg;
    fast_lock(&mutex, me);
    counter++;
    fast_unlock(&mutex, me);
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, worker, (void *)(i + 1));
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    assert(counter == N);
}
