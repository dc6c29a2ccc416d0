// norn: verified executions=17
//
// A reader-writer lock in one word: the number of readers, or -1 for a writer. A writer goes from 0 to
// -1 in one step.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int state;
static int left, right;

static void read_lock(void) {
    for (;;) {
        int readers = atomic_load_explicit(&state, memory_order_relaxed);
        if (readers >= 0 &&
            atomic_compare_exchange_strong_explicit(&state, &readers, readers + 1,
                                                    memory_order_acquire, memory_order_relaxed))
            return;
    }
}

static void read_unlock(void) {
    atomic_fetch_sub_explicit(&state, 1, memory_order_release);
}

static void write_lock(void) {
    int free = 0;
    while (!atomic_compare_exchange_strong_explicit(&state, &free, -1, memory_order_acquire,
                                                    memory_order_relaxed))
        free = 0;
}

static void write_unlock(void) {
    atomic_store_explicit(&state, 0, memory_order_release);
}

static void *writer(void *unused) {
    (void)unused;
    write_lock();
    left++;
    right++;
    write_unlock();
    return NULL;
}

static void *reader(void *unused) {
    (void)unused;
    read_lock();
    assert(left == right);
    read_unlock();
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_create(&threads[2], NULL, reader, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
