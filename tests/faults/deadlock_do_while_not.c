// norn: verified executions=4
// The same loop where the signal cannot come before, and one with a timeout.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;

static void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec limit = {1, 0};
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, work, NULL);
    do
        pthread_cond_wait(&condition, &mutex);
    while (!ready);
    do
        pthread_cond_timedwait(&condition, &mutex, &limit);
    while (!ready);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
