// norn: verified executions=2
// The near twin, without the fault.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct pair { int a, b; };
static _Atomic(struct pair *) top;

static void *first(void *unused) {
    struct pair *pair = malloc(sizeof *pair);
    pair->a = 1;
    atomic_store_explicit(&top, pair, memory_order_release);
    return unused;
}

static void *second(void *unused) {
    struct pair *pair = atomic_load_explicit(&top, memory_order_acquire);
    if (pair)
        pair->b = 2;
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
