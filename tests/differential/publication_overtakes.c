// norn: violation uninitialised_read line=15
// norn-options: model=pso
// The store that hands out a box may reach memory before those that fill it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct box {
    int b;
};
static _Atomic(struct box *) q;
static void *reader(void *argument) {
    struct box *p = atomic_load_explicit(&q, memory_order_relaxed);
    if (p)
        assert(p->b == 3);
    return NULL;
}
static void *writer(void *argument) {
    struct box *p = malloc(sizeof *p);
    p->b = 3;
    atomic_store_explicit(&q, p, memory_order_relaxed);
    return NULL;
}
int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, reader, NULL);
    pthread_create(&two, NULL, writer, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    free(atomic_load(&q));
    return 0;
}
