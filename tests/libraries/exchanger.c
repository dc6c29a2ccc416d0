// Two threads meet and get what the other brings: a slot for each, and who came first.
// With -DWRONG the second does not wait for the first to have put its value there.
#include <pthread.h>
#include <stdatomic.h>

struct meeting {
    atomic_long came;
    atomic_long first, second;
};

static struct meeting x;
static long left, right;

static long meet(struct meeting *x, long mine) {
    if (atomic_fetch_add(&x->came, 1) == 0) {
        atomic_store(&x->first, mine);
        long other;
        while (!(other = atomic_load(&x->second)))
            ;
        return other;
    }
    atomic_store(&x->second, mine);
#ifdef WRONG
    return atomic_load(&x->first);
#else
    long other;
    while (!(other = atomic_load(&x->first)))
        ;
    return other;
#endif
}

static void *worker(void *arg) {
    right = meet(&x, 7);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    left = meet(&x, 5);
    pthread_join(t, 0);
}
