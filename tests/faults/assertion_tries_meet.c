// norn: violation assertion line=21
// norn-options: liveness=no
// Two threads wait for certain numbers and take one. That one of them is there for a moment is only because the other
// has taken too much. (If they never meet, both try for ever.)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int word = 3, done;

static void *waits_for_five(void *unused) {
    while (atomic_fetch_sub(&word, 1) != 5)
        atomic_fetch_add(&word, 1);
    return NULL;
}

static void *waits_for_two(void *unused) {
    while (atomic_fetch_sub(&word, 1) != 2)
        atomic_fetch_add(&word, 1);
    atomic_store(&done, 1);
    assert(0);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, waits_for_five, NULL);
    pthread_create(&threads[1], NULL, waits_for_two, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
