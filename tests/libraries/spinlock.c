// A spin lock made of an exchange, and two threads that hand on data under it.
// With -DWRONG nothing is released when the lock is given back.
#include <pthread.h>
#include <stdatomic.h>

#ifdef WRONG
#define GIVE memory_order_relaxed
#else
#define GIVE memory_order_release
#endif

static atomic_int l;
static int data, seen;

static void spin(atomic_int *l) {
    while (atomic_exchange_explicit(l, 1, memory_order_acquire))
        ;
}

static void release(atomic_int *l) {
    atomic_store_explicit(l, 0, GIVE);
}

static void *writer(void *arg) {
    spin(&l);
    data = 1;
    release(&l);
    return 0;
}

static void *reader(void *arg) {
    spin(&l);
    seen = data;
    release(&l);
    return 0;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, writer, 0);
    pthread_create(&t[1], 0, reader, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
}
