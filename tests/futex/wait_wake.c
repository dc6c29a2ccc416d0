// outcomes=12
// A word changes, and somebody is woken who perhaps waits.
#include "futex.h"

static atomic_uint word;
static int waited;

static void *waiter(void *unused) {
    (void)unused;
    waited = futex_wait(1, &word, 0, ~0u, 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    atomic_store(&word, 1);
    int woken = futex_wake(&word, 1, ~0u);
    atomic_store(&word, 0);
    pthread_join(thread, NULL);
    outcome(waited * 4 + woken);
}
