// A channel for one message: the message, and a flag that says that it is there.
// With -DWRONG the flag is set first.
#include <pthread.h>
#include <stdatomic.h>

struct channel {
    atomic_long full;
    atomic_long message;
};

static struct channel c;
static long got, also;
static atomic_int ready;

static void put(struct channel *c, long message) {
#ifdef WRONG
    atomic_store(&c->full, 1);
    atomic_store(&c->message, message);
#else
    atomic_store(&c->message, message);
    atomic_store(&c->full, 1);
#endif
}

static long get(struct channel *c) {
    while (!atomic_load(&c->full))
        ;
    return atomic_load(&c->message);
}

static void *sender(void *arg) {
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    put(&c, 42);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, sender, 0);
    got = get(&c);
    also = atomic_load_explicit(&ready, memory_order_relaxed);
    pthread_join(t, 0);
}
