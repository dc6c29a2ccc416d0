// norn: violation assertion line=22
// Who counts attempts may count one that failed for no reason.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, failed;

static void *work(void *unused) {
    int expected = atomic_load(&x);
    while (!atomic_compare_exchange_weak(&x, &expected, expected + 1))
        atomic_fetch_add(&failed, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    int tries = 0, expected = 0;
    while (!atomic_compare_exchange_weak(&x, &expected, expected + 1))
        tries++;
    assert(tries <= 1);
    pthread_join(thread, NULL);
    return 0;
}
