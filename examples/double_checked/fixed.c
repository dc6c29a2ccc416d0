// norn: verified executions=3
//
// Double-checked initialisation: the fast path reads a flag with acquire, the slow path takes a lock
// and looks again. The flag is set with release after the data.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
static int instance, made;

static int *get(void) {
    if (!atomic_load_explicit(&ready, memory_order_acquire)) {
        pthread_mutex_lock(&mutex);
        if (!atomic_load_explicit(&ready, memory_order_relaxed)) {
            instance = 42;
            made++;
            atomic_store_explicit(&ready, 1, memory_order_release);
        }
        pthread_mutex_unlock(&mutex);
    }
    return &instance;
}

static void *user(void *unused) {
    (void)unused;
    int seen = *get();
    assert(seen == 42);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, user, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(made == 1);
    return 0;
}
