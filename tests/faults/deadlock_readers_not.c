// norn: verified executions=11
// The mutex is given back before the lock is asked for.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *arg) {
    pthread_rwlock_rdlock(&lock);
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t readers[2];
    pthread_mutex_lock(&gate);
    pthread_create(&readers[0], 0, reader, 0);
    pthread_create(&readers[1], 0, reader, 0);
    pthread_mutex_unlock(&gate);
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_join(readers[0], 0);
    pthread_join(readers[1], 0);
    return 0;
}
