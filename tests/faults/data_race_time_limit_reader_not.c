// norn: verified executions=4
// Two locks may read the same time limit.
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct timespec limit = {1, 0};

static void *work(void *unused) {
    if (pthread_rwlock_timedrdlock(&lock, &limit) == 0)
        pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    if (pthread_rwlock_timedwrlock(&lock, &limit) == 0)
        pthread_rwlock_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
