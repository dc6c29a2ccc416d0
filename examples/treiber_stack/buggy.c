// norn: violation assertion line=62
//
// A lock-free stack after Treiber (1986). Between reading `top` and the compare-exchange, another
// thread may pop two nodes and push the first one back: `top` looks unchanged, the exchange succeeds,
// and a node that somebody else owns is on the stack again (the ABA problem).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    _Atomic(struct node *) next;
};

static struct node nodes[2];
static _Atomic(struct node *) top;
static struct node *first, *second;

static void push(struct node *node) {
    struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
    do {
        atomic_store_explicit(&node->next, old, memory_order_relaxed);
    } while (!atomic_compare_exchange_strong_explicit(&top, &old, node, memory_order_release,
                                                      memory_order_relaxed));
}

static struct node *pop(void) {
    struct node *old = atomic_load_explicit(&top, memory_order_acquire);
    while (old != NULL) {
        struct node *next = atomic_load_explicit(&old->next, memory_order_relaxed);
        if (atomic_compare_exchange_strong_explicit(&top, &old, next, memory_order_acquire,
                                                    memory_order_acquire))
            break;
    }
    return old;
}

static void *popper(void *unused) {
    (void)unused;
    first = pop();
    return NULL;
}

static void *recycler(void *unused) {
    (void)unused;
    struct node *node = pop();
    second = pop();
    if (node != NULL)
        push(node);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    push(&nodes[0]);
    push(&nodes[1]);
    pthread_create(&threads[0], NULL, popper, NULL);
    pthread_create(&threads[1], NULL, recycler, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    struct node *rest = pop();
    assert(rest == NULL || (rest != first && rest != second));
    return 0;
}
