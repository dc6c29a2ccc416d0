// norn: verified executions=1
// The time limit of a wait for a semaphore is freed afterwards.
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
    sem_t semaphore;
    struct timespec *limit = malloc(sizeof *limit);
    limit->tv_sec = 1;
    limit->tv_nsec = 0;
    sem_init(&semaphore, 0, 1);
    sem_timedwait(&semaphore, limit);
    free(limit);
    sem_destroy(&semaphore);
    return 0;
}
