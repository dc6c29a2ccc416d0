// norn: violation deadlock line=10
// A normal mutex is locked twice; a recursive one may be.
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&mutex);
    int code = pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return code;
}
