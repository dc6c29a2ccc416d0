// norn: verified executions=1
// The near twin of unknown_function.c that has nothing wrong.
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
    return atomic_load(&x) == 2 ? sensor() : 0;
}
