// norn: verified executions=1
// Whoever takes too much gives it back and tries again, and whoever got some puts it there again.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int left = 1;

static void *takes(void *unused) {
    while (atomic_fetch_sub(&left, 1) <= 0)
        atomic_fetch_add(&left, 1);
    atomic_fetch_add(&left, 1);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, takes, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
