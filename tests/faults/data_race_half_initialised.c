// norn: violation data_race line=21
// The member that was not initialised is written by a thread that does not see the allocation.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct pair { int a, b; };
static _Atomic(struct pair *) top;

static void *first(void *unused) {
    struct pair *pair = malloc(sizeof *pair);
    pair->a = 1;
    atomic_store_explicit(&top, pair, memory_order_relaxed);
    return unused;
}

static void *second(void *unused) {
    struct pair *pair = atomic_load_explicit(&top, memory_order_relaxed);
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
