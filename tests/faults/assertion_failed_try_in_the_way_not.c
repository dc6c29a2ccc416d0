// norn: verified executions=1
// Who waits until there is enough gets it in the end, whoever takes too much for a moment.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int word = 1;
static int got;

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

static void *takes_one(void *unused) {
    while (atomic_fetch_sub(&word, 1) <= 0)
        atomic_fetch_add(&word, 1);
    got = 1;
    atomic_fetch_add(&word, 2);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, takes_two, NULL);
    pthread_create(&threads[1], NULL, takes_one, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(got);
    return 0;
}
