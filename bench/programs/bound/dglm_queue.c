// The queue of Doherty, Groves, Luchangco and Moir (FORTE 2004): like that of Michael and Scott, but
// a dequeuer looks at the tail only after it has moved the head on. Two threads enqueue N numbers
// each; at the end all of them are there, those of each thread in order.
//
// With -DBUG an enqueuer links its node by a store instead of a compare-exchange: numbers are lost.
//
// norn: model=sc verdict=verified
// norn: model=sc -DBUG kind=assertion bound=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

struct node {
    atomic_int next;
    int value;
};

static struct node nodes[2 * N + 2];
static atomic_int head = 1, tail = 1;

static void enqueue(int node, int value) {
    nodes[node].value = value;
    for (;;) {
        int last = atomic_load(&tail);
        int next = atomic_load(&nodes[last].next);
        if (next != 0) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
#ifdef BUG
        atomic_store(&nodes[last].next, node);
        atomic_compare_exchange_strong(&tail, &last, node);
        return;
#else
        if (atomic_compare_exchange_strong(&nodes[last].next, &next, node)) {
            atomic_compare_exchange_strong(&tail, &last, node);
            return;
        }
#endif
    }
}

static int dequeue(void) {
    for (;;) {
        int first = atomic_load(&head);
        int next = atomic_load(&nodes[first].next);
        if (next == 0)
            return 0;
        if (atomic_compare_exchange_strong(&head, &first, next)) {
            int last = atomic_load(&tail);
            if (first == last)
                atomic_compare_exchange_strong(&tail, &last, next);
            return nodes[next].value;
        }
    }
}

static void *producer(void *argument) {
    int me = (int)(intptr_t)argument;
    for (int i = 0; i < N; i++)
        enqueue(2 + me * N + i, 1 + me * N + i);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, producer, (void *)(intptr_t)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    int next[2] = {1, 1 + N};
    for (int i = 0; i < 2 * N; i++) {
        int value = dequeue();
        assert(value != 0);
        int owner = value > N;
        assert(value == next[owner]);
        next[owner]++;
    }
    return 0;
}
