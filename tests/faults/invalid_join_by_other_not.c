// norn: verified executions=1
// A thread that has detached itself is not joined.
#include <pthread.h>
#include <semaphore.h>

static sem_t done;

static void *work(void *unused) {
    pthread_detach(pthread_self());
    sem_post(&done);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    sem_wait(&done);
    return 0;
}
