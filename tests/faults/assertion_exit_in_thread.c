// norn: violation assertion line=11
// exit in a thread runs the handlers, also those that main registered.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void handler(void) {
    assert(atomic_load(&x) == 0);
}

static void *work(void *unused) {
    exit(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    atexit(handler);
    pthread_create(&thread, NULL, work, NULL);
    atomic_store(&x, 1);
    pthread_join(thread, NULL);
    return 0;
}
