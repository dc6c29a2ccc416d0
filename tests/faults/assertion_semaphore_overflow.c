// norn: violation assertion line=10
// A semaphore that cannot count further says so.
#include <assert.h>
#include <limits.h>
#include <semaphore.h>

int main(void) {
    sem_t semaphore;
    sem_init(&semaphore, 0, INT_MAX);
    assert(sem_post(&semaphore) == 0);
    sem_destroy(&semaphore);
    return 0;
}
