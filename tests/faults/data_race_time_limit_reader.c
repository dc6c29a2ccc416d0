// norn: violation data_race line=10
// A reader-writer lock reads its time limit, which another thread writes.
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
    limit.tv_nsec = 2;
    pthread_join(thread, NULL);
    return 0;
}
