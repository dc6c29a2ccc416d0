// norn: violation data_race line=18
// Zeroed memory is written by a thread that is not ordered after its allocation.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) top;

static void *first(void *unused) {
    atomic_store_explicit(&top, calloc(1, sizeof(int)), memory_order_relaxed);
    return unused;
}

static void *second(void *unused) {
    int *cell = atomic_load_explicit(&top, memory_order_relaxed);
    if (cell)
        *cell = 18;
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
