// norn: violation assertion line=7
// A thread that calls exit runs the handlers and ends the process, with main in the midst of a join.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static void handler(void) {
    assert(0);
}
static void *thread(void *argument) {
    exit(0);
}
int main(void) {
    pthread_t handle;
    atexit(handler);
    pthread_create(&handle, NULL, thread, NULL);
    pthread_join(handle, NULL);
    return 0;
}
