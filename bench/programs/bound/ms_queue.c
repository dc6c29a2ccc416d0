// The queue of Michael and Scott (PODC 1996), with a thread that enqueues N numbers and one that
// dequeues as often. What is dequeued comes in order.
//
// With -DBUG the dequeuer moves the head on by a store instead of a compare-exchange, and a second
// thread dequeues too: a number is dequeued twice.
//
// norn: model=sc verdict=verified
// norn: model=sc -DBUG kind=assertion bound=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

struct node {
    atomic_int next;
    int value;
};

// Nodes are named by their index; 0 is no node, 1 is the first dummy.
static struct node nodes[N + 2];
static atomic_int head = 1, tail = 1;
static atomic_int taken[N + 1];

static void enqueue(int node, int value) {
    nodes[node].value = value;
    for (;;) {
        int last = atomic_load(&tail);
        int next = atomic_load(&nodes[last].next);
        if (next != 0) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        if (atomic_compare_exchange_strong(&nodes[last].next, &next, node)) {
            atomic_compare_exchange_strong(&tail, &last, node);
            return;
        }
    }
}

static int dequeue(void) {
    for (;;) {
        int first = atomic_load(&head);
        int last = atomic_load(&tail);
        int next = atomic_load(&nodes[first].next);
        if (next == 0)
            return 0;
        if (first == last) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        int value = nodes[next].value;
#ifdef BUG
        atomic_store(&head, next);
        return value;
#else
        if (atomic_compare_exchange_strong(&head, &first, next))
            return value;
#endif
    }
}

static void *producer(void *unused) {
    for (int i = 1; i <= N; i++)
        enqueue(i + 1, i);
    return NULL;
}

static void *consumer(void *unused) {
    int before = 0;
    for (int i = 0; i < N; i++) {
        int value = dequeue();
        if (value == 0)
            continue;
        assert(value > before);
        assert(atomic_exchange(&taken[value], 1) == 0);
        before = value;
    }
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, producer, NULL);
    pthread_create(&threads[1], NULL, consumer, NULL);
#ifdef BUG
    pthread_create(&threads[2], NULL, consumer, NULL);
    pthread_join(threads[2], NULL);
#endif
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
