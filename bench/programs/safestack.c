// A lock-free stack over an array that has a bug (SafeStack, posted by Vyukov in 2010, and part of SCTBench): the links of
// elements that are popped and pushed again deceive who is about to pop. The digits of N say how many
// operations each thread makes: pop, push, pop, and so on. The shortest harness that shows the bug is 331 (with --no-liveness: nobody may take the last
// element, so that threads may also wait for ever).
//
// norn: model=sc N=21 executions=34 blocked=1 paper=34 source="Optimal-DPOR-Await, Table II"
// norn: model=sc N=31 executions=103 blocked=25 stale=1 paper=103 source="Optimal-DPOR-Await, Table II"
// norn: model=sc N=32 executions=1004 blocked=12 stale=14 paper=1073 source="Optimal-DPOR-Await, Table II"
// norn: model=sc N=33 executions=6062 blocked=1512 stale=26 paper=6434 source="Optimal-DPOR-Await, Table II"
// norn: model=sc algorithm=await N=21 executions=19 blocked=1 paper=19 source="Optimal-DPOR-Await, Table II"
// norn: model=sc algorithm=await N=31 executions=56 blocked=25 paper=56 source="Optimal-DPOR-Await, Table II"
// norn: model=sc algorithm=await N=32 executions=429 blocked=12 paper=463 source="Optimal-DPOR-Await, Table II"
// norn: model=sc algorithm=await N=33 executions=2428 blocked=1100 paper=2600 source="Optimal-DPOR-Await, Table II"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 331
#endif
#define SIZE 3

struct element {
    int owner;
    atomic_int next;
};

static struct element elements[SIZE];
static atomic_int head, count;

static int pop(void) {
    while (atomic_load(&count) > 1) {
        int first = atomic_load(&head);
        int next = atomic_exchange(&elements[first].next, -1);
        if (next >= 0) {
            int expected = first;
            if (atomic_compare_exchange_strong(&head, &expected, next)) {
                atomic_fetch_sub(&count, 1);
                return first;
            }
            atomic_exchange(&elements[first].next, next);
        }
    }
    return -1;
}

static void push(int element) {
    int first = atomic_load(&head);
    do {
        atomic_store(&elements[element].next, first);
    } while (!atomic_compare_exchange_strong(&head, &first, element));
    atomic_fetch_add(&count, 1);
}

static const int operations[3] = {
    N >= 100 ? N / 100 : N / 10,
    N >= 100 ? N / 10 % 10 : N % 10,
    N >= 100 ? N % 10 : 0,
};

static void *work(void *argument) {
    int id = (int)(long)argument, element = -1;
    for (int i = 0; i < operations[id]; i++) {
        if (i % 2) {
            push(element);
        } else {
            while ((element = pop()) < 0)
                ;
            elements[element].owner = id;
            assert(elements[element].owner == id);
        }
    }
    return NULL;
}

int main(void) {
    atomic_init(&count, SIZE);
    for (int i = 0; i < SIZE; i++)
        atomic_init(&elements[i].next, i + 1 < SIZE ? i + 1 : -1);
    pthread_t threads[3];
    for (long i = 0; i < 3; i++)
        if (operations[i])
            pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 3; i++)
        if (operations[i])
            pthread_join(threads[i], NULL);
    return 0;
}
