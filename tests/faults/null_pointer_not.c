// norn: verified executions=2
// The near twin of null_pointer.c that has nothing wrong.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static _Atomic(int *) pointer;
static int target;

static void *first(void *unused) {
    (void)unused;
    atomic_store(&pointer, &target);
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    int *seen = atomic_load(&pointer);
    if (seen != NULL)
        *seen = 1;
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
