// norn: violation data_race line=18
// An atomic store to memory that need not be allocated yet.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(atomic_int *) top;

static void *first(void *unused) {
    atomic_store_explicit(&top, malloc(sizeof(atomic_int)), memory_order_relaxed);
    return unused;
}

static void *second(void *unused) {
    atomic_int *cell = atomic_load_explicit(&top, memory_order_relaxed);
    if (cell)
        atomic_store(cell, 18);
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
