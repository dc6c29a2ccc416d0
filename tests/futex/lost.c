// outcomes=0
// A wake-up that comes before the wait is lost: nothing at the word says that there was one.
#include "futex.h"

static atomic_uint word, done;

static void *waiter(void *unused) {
    (void)unused;
    while (!atomic_load(&done)) futex_wait(1, &word, 0, ~0u, 0);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    atomic_store(&done, 1);
    futex_wake(&word, 1, ~0u);
    pthread_join(thread, NULL);
}
