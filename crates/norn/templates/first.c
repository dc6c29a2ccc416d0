// A first concurrency test: one thread hands data to another. Norn looks at all executions of it.
//
// norn: expect verified
// norn: expect violation data_race -- -DRELAXED
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELAXED
// With this order, the reader may see the flag before the data.
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_release
#endif

static int data;
static atomic_int is_ready;

static void *writer(void *unused) {
    data = 42;
    atomic_store_explicit(&is_ready, 1, ORDER);
    return unused;
}

static void *reader(void *unused) {
    if (atomic_load_explicit(&is_ready, memory_order_acquire)) assert(data == 42);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, writer, 0);
    pthread_create(&threads[1], 0, reader, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
}
