// norn: verified executions=2
// The near twin of uninitialised_read.c that has nothing wrong.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct pair {
    atomic_int left, right;
};

static _Atomic(struct pair *) shared;

static void *first(void *unused) {
    (void)unused;
    struct pair *pair = malloc(sizeof *pair);
    atomic_init(&pair->left, 1);
    atomic_init(&pair->right, 2);
    atomic_store(&shared, pair);
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    struct pair *pair = atomic_load(&shared);
    if (pair != NULL)
        assert(atomic_load(&pair->right) < 3);
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
