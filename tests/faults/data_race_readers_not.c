// norn: verified executions=2
// The near twin, without the fault.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x;
static atomic_int flag;

static void *first(void *unused) {
    pthread_rwlock_wrlock(&lock);
    x = 1;
    pthread_rwlock_unlock(&lock);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

static void *second(void *unused) {
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        pthread_rwlock_rdlock(&lock);
        int read = x;
        pthread_rwlock_unlock(&lock);
        assert(read == 1);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
