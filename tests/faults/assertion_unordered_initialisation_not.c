// norn: verified executions=2
// norn-options: race_detection=no
// Published by a release store, the node is whole for whoever acquires it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int x;
};

static _Atomic(struct node *) published;

static void *reader(void *unused) {
    struct node *n = atomic_load_explicit(&published, memory_order_acquire);
    if (n)
        assert(n->x == 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    struct node *n = calloc(1, sizeof *n);
    n->x = 1;
    atomic_store_explicit(&published, n, memory_order_release);
    pthread_join(thread, NULL);
    free(n);
    return 0;
}
