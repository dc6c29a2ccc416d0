// norn: verified executions=1
// The near twin, without the fault.
#include <pthread.h>
#include <stdlib.h>

static int *shared;

static void *work(void *unused) {
    *shared = 2;
    free(shared);
    return unused;
}

int main(void) {
    shared = malloc(sizeof *shared);
    *shared = 1;
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
}
