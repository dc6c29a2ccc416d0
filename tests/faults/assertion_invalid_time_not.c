// norn: verified executions=4
// What takes a time says so if it has too many or too few nanoseconds.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

int main(void) {
    struct timespec many = {1, 1000000000}, few = {1, -1};
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    pthread_mutex_lock(&mutex);
    assert(pthread_cond_timedwait(&condition, &mutex, &many) == EINVAL);
    assert(pthread_mutex_timedlock(&mutex, &few) == EINVAL);
    assert(sem_timedwait(&semaphore, &many) == -1 && errno == EINVAL);
    assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &few, NULL) == EINVAL);
    errno = 0;
    assert(nanosleep(&many, NULL) == -1 && errno == EINVAL);
    pthread_mutex_unlock(&mutex);
    sem_destroy(&semaphore);
    return 0;
}
