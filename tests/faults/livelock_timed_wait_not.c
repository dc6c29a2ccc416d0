// norn: verified executions=1
// The near twin, without the fault.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;

static void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec limit = {1, 0};
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_timedwait(&condition, &mutex, &limit);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
