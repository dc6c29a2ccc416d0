// A lock-free queue (Michael and Scott, "Simple, Fast, and Practical Non-Blocking and Blocking Concurrent Queue
// Algorithms", 1996). ENQUEUERS threads put in one element each, DEQUEUERS threads try to take one out, BOTH threads do
// one after the other. Nothing is freed, so there are no counters beside the pointers.
//
// norn: model=sc executions=158 blocked=694
// norn: model=sc algorithm=await executions=158 blocked=694
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef ENQUEUERS
#define ENQUEUERS 2
#endif
#ifndef DEQUEUERS
#define DEQUEUERS 2
#endif
#ifndef BOTH
#define BOTH 0
#endif
#define THREADS (ENQUEUERS + DEQUEUERS + BOTH)

struct node {
    int value;
    struct node *_Atomic next;
};

static struct node nodes[THREADS + 1];
static struct node *_Atomic head = &nodes[THREADS], *_Atomic tail = &nodes[THREADS];

static void enqueue(int thread) {
    struct node *node = &nodes[thread];
    node->value = thread + 1;
    for (;;) {
        struct node *last = atomic_load(&tail);
        struct node *next = atomic_load(&last->next);
        if (last != atomic_load(&tail))
            continue;
        if (next) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        if (atomic_compare_exchange_strong(&last->next, &next, node)) {
            atomic_compare_exchange_strong(&tail, &last, node);
            return;
        }
    }
}

static int dequeue(void) {
    for (;;) {
        struct node *first = atomic_load(&head);
        struct node *last = atomic_load(&tail);
        struct node *next = atomic_load(&first->next);
        if (first != atomic_load(&head))
            continue;
        if (first == last) {
            if (!next)
                return 0;
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        int value = next->value;
        if (atomic_compare_exchange_strong(&head, &first, next))
            return value;
    }
}

static void *enqueuer(void *thread) {
    enqueue((int)(long)thread);
    return NULL;
}

static void *dequeuer(void *unused) {
    dequeue();
    return NULL;
}

static void *both(void *thread) {
    enqueue((int)(long)thread);
    int value = dequeue();
    assert(value || DEQUEUERS);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++) {
        void *(*work)(void *) = i < ENQUEUERS ? enqueuer : i < ENQUEUERS + DEQUEUERS ? dequeuer : both;
        pthread_create(&threads[i], NULL, work, (void *)i);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
