// norn: violation reach_error line=23
// Message passing without release: the flag may be seen before the data.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <norn.h>

static atomic_int flag, data;

static void *first(void *unused) {
    (void)unused;
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    if (atomic_load_explicit(&flag, memory_order_acquire) &&
        !atomic_load_explicit(&data, memory_order_relaxed))
        reach_error();
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
