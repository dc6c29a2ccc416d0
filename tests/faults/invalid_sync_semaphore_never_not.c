// norn: verified executions=1
// A semaphore is initialised and used.
#include <semaphore.h>

static sem_t semaphore;

int main(void) {
    sem_init(&semaphore, 0, 0);
    sem_post(&semaphore);
    sem_wait(&semaphore);
    return 0;
}
