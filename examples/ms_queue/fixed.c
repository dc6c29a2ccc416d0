// norn: verified executions=5
//
// The lock-free queue of Michael and Scott (PODC 1996): a linked list with a dummy node in front.
// A node is linked with release and reached with acquire, so its value is seen by who takes it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    int value;
    _Atomic(struct node *) next;
};

static struct node dummy, one, two;
static _Atomic(struct node *) head = &dummy, tail = &dummy;

static void enqueue(struct node *node, int value) {
    node->value = value;
    for (;;) {
        struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&last->next, memory_order_acquire);
        if (next != NULL) {
            // Another thread has linked its node but not moved the tail yet: help.
            atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release,
                                                    memory_order_relaxed);
            continue;
        }
        if (atomic_compare_exchange_strong_explicit(&last->next, &next, node,
                                                    memory_order_release,
                                                    memory_order_relaxed)) {
            atomic_compare_exchange_strong_explicit(&tail, &last, node, memory_order_release,
                                                    memory_order_relaxed);
            return;
        }
    }
}

// The value at the front, or 0 if the queue is empty.
static int dequeue(void) {
    for (;;) {
        struct node *first = atomic_load_explicit(&head, memory_order_acquire);
        struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&first->next, memory_order_acquire);
        if (next == NULL)
            return 0;
        if (first == last) {
            atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release,
                                                    memory_order_relaxed);
            continue;
        }
        int value = next->value;
        if (atomic_compare_exchange_strong_explicit(&head, &first, next, memory_order_acq_rel,
                                                    memory_order_relaxed))
            return value;
    }
}

static void *producer(void *unused) {
    (void)unused;
    enqueue(&one, 1);
    enqueue(&two, 2);
    return NULL;
}

static void *consumer(void *result) {
    *(int *)result = dequeue();
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int taken = 0;
    pthread_create(&threads[0], NULL, producer, NULL);
    pthread_create(&threads[1], NULL, consumer, &taken);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    int rest = dequeue();
    assert(taken == 0 ? rest == 1 : taken == 1 && rest == 2);
    return 0;
}
