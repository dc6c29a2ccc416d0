// norn: verified executions=1
// The near twin, without the fault.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int x;

static void handler(void) {
    assert(x == 1);
}

static void *work(void *unused) {
    x = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    atexit(handler);
    pthread_create(&thread, NULL, work, NULL);
    pthread_exit(NULL);
}
