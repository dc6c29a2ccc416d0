// norn: verified executions=2
// The near twin, without the fault.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <norn.h>

static atomic_int x;

static void *work(void *unused) {
    __VERIFIER_atomic_begin();
    x = 1;
    x = 2;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    assert(x != 1);
    pthread_join(thread, NULL);
    return 0;
}
