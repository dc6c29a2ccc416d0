// outcomes=8
// What comes before a wake-up is seen by who is woken, also if all is relaxed.
#include "futex.h"

static atomic_uint word, data;
static int waited, seen;

static void *waiter(void *unused) {
    (void)unused;
    waited = futex_wait(1, &word, 0, ~0u, 1);
    seen = (int)atomic_load_explicit(&data, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_store_explicit(&word, 1, memory_order_relaxed);
    futex_wake(&word, 1, ~0u);
    pthread_join(thread, NULL);
    outcome(waited * 2 + seen);
}
