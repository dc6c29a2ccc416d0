// norn: violation assertion line=23
// Who takes two takes too much for a moment, and who tries for one just then does not get it, although there is one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int word = 1;

static void *takes_two(void *unused) {
    int before = atomic_fetch_sub(&word, 2);
    while (before <= 1) {
        atomic_fetch_add(&word, 2);
        while (atomic_load(&word) <= 1)
            ;
        before = atomic_fetch_sub(&word, 2);
    }
    return NULL;
}

static void *tries_once(void *unused) {
    int got = atomic_fetch_sub(&word, 1) > 0;
    atomic_fetch_add(&word, 1);
    assert(got);
    atomic_fetch_add(&word, 1);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, takes_two, NULL);
    pthread_create(&threads[1], NULL, tries_once, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
