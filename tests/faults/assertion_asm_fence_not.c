// norn: verified executions=3
// The near twin of assertion_asm_fence.c that has nothing wrong.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#if !defined(__x86_64__)
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE() __asm__ __volatile__("lock; addl $0,-4(%%rsp)" ::: "memory", "cc")
#endif

static atomic_int x, y;
static int seen_x, seen_y;

static void *first(void *unused) {
    (void)unused;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    FENCE();
    seen_y = atomic_load_explicit(&y, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, first, NULL);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    FENCE();
    seen_x = atomic_load_explicit(&x, memory_order_relaxed);
    pthread_join(thread, NULL);
    if (seen_x) {
        return 0;
    }
    assert(seen_y);
    return 0;
}
