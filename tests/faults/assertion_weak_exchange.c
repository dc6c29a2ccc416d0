// norn: violation assertion line=11
// A weak compare-exchange may fail although it finds what it expects.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *work(void *unused) {
    int expected = 0;
    assert(atomic_compare_exchange_weak(&x, &expected, 1));
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
