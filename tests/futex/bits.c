// outcomes=27
// Only those are woken that wait for what has come.
#include "futex.h"

static atomic_uint word;
static int waited[3];

static void *waiter(void *own) {
    int me = (int)(long)own;
    waited[me] = futex_wait(me, &word, 0, me, 1);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, waiter, (void *)1L);
    pthread_create(&two, NULL, waiter, (void *)2L);
    int woken = futex_wake(&word, 2, 2);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    outcome(waited[1] * 9 + waited[2] * 3 + woken);
}
