// outcomes=36
// Who waits at one word is moved to another one.
#include "futex.h"

static atomic_uint word, other;
static int waited, moved;

static void *waiter(void *unused) {
    (void)unused;
    waited = futex_wait(1, &word, 0, ~0u, 1);
    return NULL;
}

static void *mover(void *unused) {
    (void)unused;
    moved = futex_requeue(&word, 0, 1, &other, 0);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, waiter, NULL);
    pthread_create(&two, NULL, mover, NULL);
    int first = futex_wake(&other, 1, ~0u), second = futex_wake(&word, 1, ~0u);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    outcome(((waited * 2 + moved) * 2 + first) * 2 + second);
}
