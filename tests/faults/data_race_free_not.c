// norn: verified executions=2
// The near twin, without the fault.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node { int value; };
static _Atomic(struct node *) top;

static void *first(void *unused) {
    struct node *node = malloc(sizeof *node);
    node->value = 1;
    atomic_store_explicit(&top, node, memory_order_release);
    return unused;
}

static void *second(void *unused) {
    free(atomic_exchange_explicit(&top, NULL, memory_order_acquire));
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(atomic_load(&top));
    return 0;
}
