// norn: verified executions=1
// A semaphore counts to the largest integer and no further.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <semaphore.h>

int main(void) {
    sem_t semaphore;
    int value;
    assert(sem_init(&semaphore, 0, (unsigned)INT_MAX + 1) == -1 && errno == EINVAL);
    assert(sem_init(&semaphore, 0, INT_MAX) == 0);
    assert(sem_post(&semaphore) == -1 && errno == EOVERFLOW);
    sem_getvalue(&semaphore, &value);
    assert(value == INT_MAX);
    sem_destroy(&semaphore);
    return 0;
}
