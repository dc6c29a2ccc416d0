// norn: verified executions=6
//
// The queue lock of Mellor-Crummey and Scott (TOCS 1991): each thread spins on its own node, and the
// holder hands the lock to the node behind its own.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    _Atomic(struct node *) next;
    atomic_int locked;
};

static _Atomic(struct node *) tail;
static int counter;

static void lock(struct node *me) {
    atomic_store_explicit(&me->next, NULL, memory_order_relaxed);
    atomic_store_explicit(&me->locked, 1, memory_order_relaxed);
    struct node *before = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
    if (before == NULL)
        return;
    atomic_store_explicit(&before->next, me, memory_order_release);
    while (atomic_load_explicit(&me->locked, memory_order_acquire))
        ;
}

static void unlock(struct node *me) {
    struct node *behind = atomic_load_explicit(&me->next, memory_order_acquire);
    if (behind == NULL) {
        struct node *expected = me;
        if (atomic_compare_exchange_strong_explicit(&tail, &expected, NULL,
                                                    memory_order_release,
                                                    memory_order_relaxed))
            return;
        // Somebody is about to link its node behind this one.
        while ((behind = atomic_load_explicit(&me->next, memory_order_acquire)) == NULL)
            ;
    }
    atomic_store_explicit(&behind->locked, 0, memory_order_release);
}

static struct node nodes[2];

static void *worker(void *node) {
    lock(node);
    counter++;
    unlock(node);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, &nodes[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 2);
    return 0;
}
