// norn: violation data_race line=23
// An object whose address is seen before its content.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static _Atomic(int *) shared;

static void *first(void *unused) {
    (void)unused;
    int *cell = malloc(sizeof *cell);
    *cell = 7;
    atomic_store_explicit(&shared, cell, memory_order_relaxed);
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    int *cell = atomic_load_explicit(&shared, memory_order_acquire);
    if (cell != NULL)
        assert(*cell == 7);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(shared);
    return 0;
}
