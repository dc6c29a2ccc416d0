// A register, and two threads that write their own and read the other's.
// With -DWRONG it is relaxed.
#include <pthread.h>
#include <stdatomic.h>

#ifdef WRONG
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_seq_cst
#endif

static atomic_int a, b;
static int one, two;

static void put(atomic_int *r, int value) {
    atomic_store_explicit(r, value, ORDER);
}

static int get(atomic_int *r) {
    return atomic_load_explicit(r, ORDER);
}

static void *worker(void *arg) {
    put(&b, 1);
    two = get(&a);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    put(&a, 1);
    one = get(&b);
    pthread_join(t, 0);
}
