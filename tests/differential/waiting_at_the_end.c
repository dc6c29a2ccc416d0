// norn: verified executions=1
// A process ends with the return of main, whatever its threads wait for.
#include <pthread.h>
#include <semaphore.h>
static sem_t semaphore;
static void *thread(void *argument) {
    sem_wait(&semaphore);
    return NULL;
}
int main(void) {
    pthread_t handle;
    sem_init(&semaphore, 0, 0);
    pthread_create(&handle, NULL, thread, NULL);
    return 0;
}
