// norn: violation assertion line=11
// When the last thread ends, the process ends as by exit(0), with all that threads did before.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int x;

static void handler(void) {
    assert(x == 1);
}

static void *work(void *unused) {
    x = 2;
    return unused;
}

int main(void) {
    pthread_t thread;
    atexit(handler);
    pthread_create(&thread, NULL, work, NULL);
    pthread_exit(NULL);
}
