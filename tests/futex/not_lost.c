// outcomes=0
// A wake-up that comes after the word has changed is not lost: who waits looks at it.
#include "futex.h"

static atomic_uint word;

static void *waiter(void *own) {
    int me = (int)(long)own;
    while (!atomic_load_explicit(&word, memory_order_relaxed)) futex_wait(me, &word, 0, ~0u, 0);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, waiter, (void *)1L);
    pthread_create(&two, NULL, waiter, (void *)2L);
    atomic_store_explicit(&word, 1, memory_order_relaxed);
    futex_wake(&word, 2, ~0u);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
}
