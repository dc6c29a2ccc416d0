// norn: verified executions=1
// Static initialisers of recursive and error-checking mutexes.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
int main(void) {
    assert(pthread_mutex_lock(&recursive) == 0);
    assert(pthread_mutex_lock(&recursive) == 0);
    assert(pthread_mutex_lock(&checked) == 0);
    assert(pthread_mutex_lock(&checked) == EDEADLK);
    return 0;
}
