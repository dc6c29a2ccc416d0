// norn: verified executions=1
// The near twin, without the fault.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int x;

__attribute__((destructor)) static void end(void) {
    assert(x == 1);
}

static void *work(void *unused) {
    x = 1;
    exit(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_exit(NULL);
}
