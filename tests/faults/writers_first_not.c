// norn: verified executions=2
// A reader may come in twice, whoever waits, if the lock does not prefer writers.
#define _GNU_SOURCE
#include <pthread.h>

static pthread_rwlock_t lock;

static void *write(void *unused) {
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_rwlockattr_t attributes;
    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_READER_NP);
    pthread_rwlock_init(&lock, &attributes);
    pthread_create(&thread, NULL, write, NULL);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
