// norn: violation assertion line=7
// The process ends with its last thread, here main itself, which then runs the handlers.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static void handler(void) {
    assert(0);
}
int main(void) {
    atexit(handler);
    pthread_exit(NULL);
}
