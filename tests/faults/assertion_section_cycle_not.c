// norn: verified executions=3
// The near twin, without the fault.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <norn.h>

static atomic_int x, y;

static void *work(void *unused) {
    __VERIFIER_atomic_begin();
    int seen = x;
    y = seen + 1;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    x = 1;
    int seen = y;
    pthread_join(thread, NULL);
    assert(!(seen == 0 && y == 1));
    return 0;
}
