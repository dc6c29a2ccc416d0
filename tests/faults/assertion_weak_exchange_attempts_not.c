// norn: verified executions=4
// Who tries again and does not count cannot tell.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *work(void *unused) {
    int expected = atomic_load(&x);
    while (!atomic_compare_exchange_weak(&x, &expected, expected + 1))
        ;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    assert(x == 2);
    return 0;
}
