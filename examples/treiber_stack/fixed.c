// norn: verified executions=18
//
// The stack of buggy.c with a counter beside the index of the top node: every change makes a new
// value, so that a compare-exchange never mistakes a stack that has changed for one that has not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define NONE 0xffffffffu

struct node {
    _Atomic uint32_t next;
};

static struct node nodes[2];
static _Atomic uint64_t top = NONE;
static uint32_t first = NONE, second = NONE;

static uint64_t pack(uint32_t node, uint64_t old) {
    return ((old >> 32) + 1) << 32 | node;
}

static void push(uint32_t node) {
    uint64_t old = atomic_load_explicit(&top, memory_order_relaxed);
    do {
        atomic_store_explicit(&nodes[node].next, (uint32_t)old, memory_order_relaxed);
    } while (!atomic_compare_exchange_strong_explicit(&top, &old, pack(node, old),
                                                      memory_order_release,
                                                      memory_order_relaxed));
}

static uint32_t pop(void) {
    uint64_t old = atomic_load_explicit(&top, memory_order_acquire);
    while ((uint32_t)old != NONE) {
        uint32_t next = atomic_load_explicit(&nodes[(uint32_t)old].next, memory_order_relaxed);
        if (atomic_compare_exchange_strong_explicit(&top, &old, pack(next, old),
                                                    memory_order_acquire, memory_order_acquire))
            break;
    }
    return (uint32_t)old;
}

static void *popper(void *unused) {
    (void)unused;
    first = pop();
    return NULL;
}

static void *recycler(void *unused) {
    (void)unused;
    uint32_t node = pop();
    second = pop();
    if (node != NONE)
        push(node);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    push(0);
    push(1);
    pthread_create(&threads[0], NULL, popper, NULL);
    pthread_create(&threads[1], NULL, recycler, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    uint32_t rest = pop();
    assert(rest == NONE || (rest != first && rest != second));
    return 0;
}
