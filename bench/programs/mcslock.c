// N threads take a queue lock ROUNDS times each (Mellor-Crummey and Scott, "Algorithms for Scalable Synchronization on
// Shared-Memory Multiprocessors", 1991): each waits for a flag in a node of its own.
//
// norn: model=sc N=3 executions=66
// norn: model=sc N=4 executions=1080
// norn: model=sc algorithm=await N=4 executions=1080
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

struct node {
    struct node *_Atomic next;
    atomic_int granted;
};

static struct node *_Atomic last;
static int counter;

static void lock(struct node *mine) {
    atomic_store(&mine->next, NULL);
    atomic_store(&mine->granted, 0);
    struct node *before = atomic_exchange(&last, mine);
    if (!before)
        return;
    atomic_store(&before->next, mine);
    while (!atomic_load(&mine->granted))
        ;
}

static void unlock(struct node *mine) {
    struct node *next = atomic_load(&mine->next);
    if (!next) {
        struct node *expected = mine;
        if (atomic_compare_exchange_strong(&last, &expected, NULL))
            return;
        while (!(next = atomic_load(&mine->next)))
            ;
    }
    atomic_store(&next->granted, 1);
}

static struct node nodes[N];

static void *work(void *node) {
    for (int i = 0; i < ROUNDS; i++) {
        lock(node);
        counter++;
        unlock(node);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, &nodes[i]);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(counter == N * ROUNDS);
    return 0;
}
