// norn: verified executions=1
// A thread waits for 2, and keeps what it saw where only it looks, and not before it looks again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static _Thread_local int kept;

static void *wait_for_two(void *unused) {
    int before;
    do {
        kept = atomic_load(&x);
        before = kept;
    } while (kept != 2);
    return (void *)(long)before;
}

int main(void) {
    pthread_t thread;
    void *before;
    pthread_create(&thread, NULL, wait_for_two, NULL);
    atomic_store(&x, 1), atomic_store(&x, 2);
    pthread_join(thread, &before), assert(before == (void *)2);
    return 0;
}
