// norn: inconclusive unsupported warning=unsupported:23
// A function that has no body is reached: inconclusive.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

int sensor(void);

static atomic_int x;

static void *first(void *unused) {
    (void)unused;
    atomic_store(&x, 1);
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, first, NULL);
    pthread_join(a, NULL);
    return atomic_load(&x) == 1 ? sensor() : 0;
}
