// norn: violation null_pointer line=28
// norn-options: model=sc
// A search of this was refused when it was taken up again after its tenth execution.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
struct box {
    atomic_int a;
    int b;
};
static _Atomic(struct box *) q0;
static void *f1(void *argument);
static void *f2(void *argument);
static void *f3(void *argument);
static void *f4(void *argument);
static void *f4(void *argument) {
    struct box *b0 = NULL;
    b0 = atomic_load_explicit(&q0, memory_order_seq_cst);
    free(b0);
    return NULL;
}
static void *f3(void *argument) {
    int r0 = (int)(long)argument;
    int r1 = 0;
    struct box *b0 = NULL;
    b0 = atomic_exchange_explicit(&q0, NULL, memory_order_seq_cst);
    r1 = b0->b;
    free(b0);
    b0 = malloc(sizeof *b0);
    atomic_init(&b0->a, r0);
    b0->b = 2;
    atomic_store_explicit(&q0, b0, memory_order_seq_cst);
    return NULL;
}
static void *f2(void *argument) {
    pthread_t h0;
    pthread_create(&h0, NULL, f1, (void *)(long)(1));
    return NULL;
}
static void *f1(void *argument) {
    int r0 = (int)(long)argument;
    struct box *b0 = NULL;
    b0 = malloc(sizeof *b0);
    atomic_init(&b0->a, r0);
    b0->b = r0;
    atomic_store_explicit(&q0, b0, memory_order_seq_cst);
    return NULL;
}
int main(void) {
    pthread_t h0;
    pthread_t h1;
    pthread_t h2;
    pthread_create(&h0, NULL, f2, (void *)(long)(1));
    pthread_create(&h1, NULL, f3, (void *)(long)(2));
    pthread_create(&h2, NULL, f4, (void *)(long)(3));
    return 0;
}
