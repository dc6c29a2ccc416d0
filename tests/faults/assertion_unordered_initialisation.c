// norn: violation assertion line=18
// norn-options: race_detection=no
// A node is published by a relaxed store: a reader that races may see it as it was before it was filled in.
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
    atomic_store_explicit(&published, n, memory_order_relaxed);
    pthread_join(thread, NULL);
    free(n);
    return 0;
}
