// norn: verified executions=1
// A strong one does not fail, and a loop around a weak one tries again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *work(void *unused) {
    int expected = 0;
    assert(atomic_compare_exchange_strong(&x, &expected, 1));
    expected = 1;
    while (!atomic_compare_exchange_weak(&x, &expected, 2))
        expected = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
