// norn: verified executions=10
// The near twin, without the fault.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready[2];

static void *work(void *number) {
    long i = (long)number;
    pthread_mutex_t *mutex = &mutexes[0];
    pthread_mutex_lock(mutex);
    while (!ready[i])
        pthread_cond_wait(&condition, mutex);
    pthread_mutex_unlock(mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, (void *)0L);
    pthread_create(&b, NULL, work, (void *)1L);
    pthread_mutex_lock(&mutexes[0]);
    pthread_mutex_lock(&mutexes[1]);
    ready[0] = ready[1] = 1;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutexes[1]);
    pthread_mutex_unlock(&mutexes[0]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
