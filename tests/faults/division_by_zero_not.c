// norn: verified executions=2
// The near twin of division_by_zero.c that has nothing wrong.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int divisor;

static void *first(void *unused) {
    (void)unused;
    atomic_store(&divisor, 2);
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    int seen = atomic_load(&divisor);
    int result = seen == 0 ? 0 : 10 / seen;
    (void)result;
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
