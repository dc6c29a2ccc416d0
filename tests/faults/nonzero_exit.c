// norn: verified executions=2 warning=nonzero_exit
// An exit code that is not zero in some execution: a warning.
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
    return seen;
}
