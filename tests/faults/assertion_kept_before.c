// norn: violation assertion line=24
// A thread waits for 2, and uses what it saw before that.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static _Thread_local int kept;

static void *wait_for_two(void *unused) {
    int before;
    do {
        before = kept;
        kept = atomic_load(&x);
    } while (kept != 2);
    return (void *)(long)before;
}

int main(void) {
    pthread_t thread;
    void *before;
    pthread_create(&thread, NULL, wait_for_two, NULL);
    atomic_store(&x, 1), atomic_store(&x, 2);
    pthread_join(thread, &before), assert(before == NULL);
    return 0;
}
