// norn: verified executions=1
// The time limit of a lock is written before the lock is asked for.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct timespec limit = {1, 0};

static void *work(void *unused) {
    if (pthread_mutex_timedlock(&mutex, &limit) == 0)
        pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    limit.tv_sec = 2;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
