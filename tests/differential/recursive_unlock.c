// norn: verified executions=1
// A recursive mutex tells a thread that does not own it so, as an error-checking one does.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t mutex;
static void *thread(void *argument) {
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    return NULL;
}
int main(void) {
    pthread_t handle;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &kind);
    pthread_create(&handle, NULL, thread, NULL);
    pthread_join(handle, NULL);
    return 0;
}
