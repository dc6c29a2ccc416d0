// norn: verified executions=2
// The near twin of mixed_size.c that has nothing wrong.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <stdint.h>

static union {
    _Atomic uint32_t whole;
    _Atomic uint16_t half[2];
} cell;

static void *first(void *unused) {
    (void)unused;
    atomic_fetch_add(&cell.whole, 1);
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    atomic_fetch_add(&cell.whole, 1);
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
