// norn: verified executions=2
// The near twin of nonzero_exit.c that has nothing wrong.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int x;

static void *first(void *unused) {
    (void)unused;
    atomic_store(&x, 1);
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, first, NULL);
    int seen = atomic_load(&x);
    pthread_join(a, NULL);
    return seen & 2;
}
