// norn: violation assertion line=15
// A wait may end without a signal, so a condition must be tested again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static atomic_int waits;
static int ready;
static void *waiter(void *argument) {
    pthread_mutex_lock(&mutex);
    atomic_store(&waits, 1);
    if (!ready)
        pthread_cond_wait(&condition, &mutex);
    assert(ready);
    pthread_mutex_unlock(&mutex);
    return NULL;
}
int main(void) {
    pthread_t handle;
    pthread_create(&handle, NULL, waiter, NULL);
    while (!atomic_load(&waits));
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    pthread_join(handle, NULL);
    return 0;
}
