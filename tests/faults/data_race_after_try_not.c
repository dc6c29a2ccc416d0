// norn: verified executions=1
// A lock of one word whose try acquires: what it guards is ordered.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int word = 1;
static int guarded;

static void *works(void *unused) {
    int before = atomic_fetch_sub_explicit(&word, 1, memory_order_acquire);
    while (before <= 0) {
        atomic_fetch_add_explicit(&word, 1, memory_order_relaxed);
        while (atomic_load_explicit(&word, memory_order_relaxed) <= 0)
            ;
        before = atomic_fetch_sub_explicit(&word, 1, memory_order_acquire);
    }
    guarded++;
    atomic_fetch_add_explicit(&word, 1, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, works, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
