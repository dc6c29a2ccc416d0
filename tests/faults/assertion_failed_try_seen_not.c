// norn: verified executions=1
// Whoever looks when all threads have ended sees nothing of tries that failed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int word;

static void *takes(void *unused) {
    int before = atomic_fetch_sub(&word, 1);
    while (before <= 0) {
        atomic_fetch_add(&word, 1);
        while (atomic_load(&word) <= 0)
            ;
        before = atomic_fetch_sub(&word, 1);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, takes, NULL);
    pthread_create(&threads[1], NULL, takes, NULL);
    atomic_fetch_add(&word, 2);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    int seen = atomic_load(&word);
    assert(seen == 0);
    return 0;
}
