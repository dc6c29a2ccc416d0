// norn: model=sc N=3 executions=1
// norn: model=rc11 N=3 executions=1
// norn: model=c20 N=6 executions=1
// norn: model=rc11 algorithm=rf N=3 executions=1
// norn: model=sc algorithm=await N=3 executions=1
// Two threads wait for the last of N values, and keep what they see in memory that only they use: a local variable whose
// address is taken, a thread-local one.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static _Thread_local int kept;

static void look(int *seen) {
    *seen = atomic_load_explicit(&x, memory_order_acquire);
}

static void *local(void *unused) {
    int seen = -1;
    do
        look(&seen);
    while (seen != N);
    return NULL;
}

static void *thread_local_one(void *unused) {
    do
        kept = atomic_load_explicit(&x, memory_order_acquire);
    while (kept != N);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, local, NULL);
    pthread_create(&threads[1], NULL, thread_local_one, NULL);
    for (int i = 1; i <= N; i++)
        atomic_store_explicit(&x, i, memory_order_release);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
