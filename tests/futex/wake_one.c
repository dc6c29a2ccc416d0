// outcomes=27
// One of two is woken, then another one.
#include "futex.h"

static atomic_uint word;
static int waited[3];

static void *waiter(void *own) {
    int me = (int)(long)own;
    waited[me] = futex_wait(me, &word, 0, ~0u, 1);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, waiter, (void *)1L);
    pthread_create(&two, NULL, waiter, (void *)2L);
    int woken = futex_wake(&word, 1, ~0u);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    outcome(waited[1] * 9 + waited[2] * 3 + woken);
}
