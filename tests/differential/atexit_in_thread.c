// norn: violation assertion line=7
// A handler that a thread registered runs at the end of the process, whoever ends it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static void handler(void) {
    assert(0);
}
static void *thread(void *argument) {
    atexit(handler);
    return NULL;
}
int main(void) {
    pthread_t handle;
    pthread_create(&handle, NULL, thread, NULL);
    pthread_join(handle, NULL);
    return 0;
}
