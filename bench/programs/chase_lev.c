// A work-stealing queue (Chase and Lev): the owner pushes and pops, two thieves steal once each; N pushes.
//
// Table 2 of the paper on reads-value-from has 175331 (source sets and reads-from) and 87807 for 4, of a text that
// is not in it.
//
// norn: model=sc N=4 executions=1736 values
// norn: model=sc algorithm=rf N=4 executions=1736 values
// norn: model=sc algorithm=rvf N=4 executions=766 values
// norn: model=sc N=5 executions=3222 values
// norn: model=sc algorithm=rf N=5 executions=3222 values
// norn: model=sc algorithm=rvf N=5 executions=1472 values
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static atomic_int top, bottom, slot[N];

static void push(int job) {
    int at = atomic_load(&bottom);
    atomic_store(&slot[at % N], job);
    atomic_store(&bottom, at + 1);
}

static int pop(void) {
    int at = atomic_load(&bottom) - 1;
    atomic_store(&bottom, at);
    int first = atomic_load(&top);
    if (first > at) {
        atomic_store(&bottom, at + 1);
        return 0;
    }
    int job = atomic_load(&slot[at % N]);
    if (first == at) {
        if (!atomic_compare_exchange_strong(&top, &first, first + 1))
            job = 0;
        atomic_store(&bottom, at + 1);
    }
    return job;
}

static void *steal(void *unused) {
    int first = atomic_load(&top);
    if (first < atomic_load(&bottom)) {
        (void)atomic_load(&slot[first % N]);
        atomic_compare_exchange_strong(&top, &first, first + 1);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, steal, NULL);
    pthread_create(&thread, NULL, steal, NULL);
    for (int i = 0; i < N; i++)
        push(i + 1);
    for (int i = 0; i < N; i++)
        (void)pop();
    return 0;
}
