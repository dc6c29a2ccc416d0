// norn: verified executions=1
// norn-options: model=sc
// The same, where the thread has gone on before.
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
    sem_post(&semaphore);
    pthread_join(thread, NULL);
    sem_destroy(&semaphore);
    return 0;
}
