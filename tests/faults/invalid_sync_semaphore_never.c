// norn: violation invalid_sync line=8
// A semaphore is used without being initialised.
#include <semaphore.h>

static sem_t semaphore;

int main(void) {
    sem_post(&semaphore);
    sem_wait(&semaphore);
    return 0;
}
