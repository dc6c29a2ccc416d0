// norn: verified executions=4
// What a thread has taken back cannot be seen by whoever comes after it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, done;
static void *gives(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return NULL;
}
static void *takes(void *unused) {
    while (atomic_fetch_sub_explicit(&x, 1, memory_order_relaxed) <= 0)
        atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&done, 1, memory_order_release);
    return NULL;
}
static void *looks(void *unused) {
    assert(!atomic_load_explicit(&done, memory_order_acquire) || atomic_load_explicit(&x, memory_order_relaxed) >= 0);
    return NULL;
}
int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, gives, NULL);
    pthread_create(&threads[1], NULL, takes, NULL);
    pthread_create(&threads[2], NULL, looks, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
