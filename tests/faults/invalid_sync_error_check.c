// norn: violation assertion line=12
// What a mutex that checks for errors says; the wrong answer is asserted.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

int main(void) {
    pthread_mutex_lock(&mutex);
    assert(pthread_mutex_lock(&mutex) == 0);
    return 0;
}
