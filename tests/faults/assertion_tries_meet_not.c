// norn: verified executions=1
// Two threads wait for certain numbers and take one; the second is there when the first has taken its one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int word = 3, done;

static void *waits_for_three(void *unused) {
    while (atomic_fetch_sub(&word, 1) != 3)
        atomic_fetch_add(&word, 1);
    atomic_store(&done, 1);
    return NULL;
}

static void *waits_for_two(void *unused) {
    while (atomic_fetch_sub(&word, 1) != 2)
        atomic_fetch_add(&word, 1);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, waits_for_three, NULL);
    pthread_create(&threads[1], NULL, waits_for_two, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(atomic_load(&done));
    return 0;
}
