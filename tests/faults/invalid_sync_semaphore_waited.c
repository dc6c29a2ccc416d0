// norn: violation invalid_sync line=10
// norn-options: model=sc
// A semaphore is destroyed while a thread waits for it, or before it does.
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void *work(void *unused) {
    sem_wait(&semaphore);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    pthread_detach(thread);
    sem_destroy(&semaphore);
    return 0;
}
