// norn: violation assertion line=34
// norn-options: model=tso
// Handing out a new object orders nothing: the store to x can wait in the buffer while y is read.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct box {
    int b;
};
static atomic_int x, y;
static _Atomic(struct box *) q;
static int r1, r2;
static void *first(void *argument) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    struct box *p = malloc(sizeof *p);
    p->b = 1;
    atomic_store_explicit(&q, p, memory_order_relaxed);
    r1 = atomic_load_explicit(&y, memory_order_relaxed);
    return NULL;
}
static void *second(void *argument) {
    atomic_store_explicit(&y, 1, memory_order_seq_cst);
    r2 = atomic_load_explicit(&x, memory_order_relaxed);
    return NULL;
}
int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    free(atomic_load(&q));
    assert(r1 || r2);
    return 0;
}
