// norn: violation assertion line=73
//
// The work-stealing deque of Chase and Lev (SPAA 2005). The owner takes from the bottom, thieves
// steal from the top. The fence of `take` is missing: the owner may look at `top` before its claim of
// the bottom element can be seen, and a task is run twice.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define SIZE 4
#define EMPTY (-1)
#define LOST (-2)

static _Atomic long top, bottom;
static _Atomic int array[SIZE];
static int taken, stolen;

static void push(int task) {
    long b = atomic_load_explicit(&bottom, memory_order_relaxed);
    atomic_store_explicit(&array[b % SIZE], task, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
}

static int take(void) {
    long b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
    atomic_store_explicit(&bottom, b, memory_order_relaxed);
    long t = atomic_load_explicit(&top, memory_order_relaxed);
    int task = EMPTY;
    if (t <= b) {
        task = atomic_load_explicit(&array[b % SIZE], memory_order_relaxed);
        if (t == b) {
            if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst,
                                                         memory_order_relaxed))
                task = EMPTY;
            atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
        }
    } else {
        atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    }
    return task;
}

static int steal(void) {
    long t = atomic_load_explicit(&top, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    long b = atomic_load_explicit(&bottom, memory_order_acquire);
    if (t >= b)
        return EMPTY;
    int task = atomic_load_explicit(&array[t % SIZE], memory_order_relaxed);
    if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst,
                                                 memory_order_relaxed))
        return LOST;
    return task;
}

static void *thief(void *unused) {
    (void)unused;
    for (int i = 0; i < 2; i++)
        stolen += steal() > 0;
    return NULL;
}

int main(void) {
    pthread_t thread;
    push(1);
    push(2);
    pthread_create(&thread, NULL, thief, NULL);
    for (int i = 0; i < 2; i++)
        taken += take() > 0;
    pthread_join(thread, NULL);
    assert(taken + stolen <= 2);
    return 0;
}
