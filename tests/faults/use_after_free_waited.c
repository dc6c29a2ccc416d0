// norn: violation use_after_free line=11
// norn-options: model=ra
// A thread may still wait, or begin to wait, for a semaphore whose memory is freed. The process ends without it.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t *semaphore;

static void *work(void *unused) {
    sem_wait(semaphore);
    return unused;
}

int main(void) {
    pthread_t thread;
    semaphore = malloc(sizeof *semaphore);
    sem_init(semaphore, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    pthread_detach(thread);
    free(semaphore);
    return 0;
}
