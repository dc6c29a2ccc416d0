// norn: verified executions=1
// The near twin, without the fault.
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

int main(void) {
    pthread_mutex_lock(&mutex);
    int code = pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&mutex);
    return code;
}
