// LOCK/2: two threads, each locks and unlocks.
#include <pthread.h>

void lock(int *m);
void unlock(int *m);

static int m;

static void *worker(void *arg) {
    lock(&m);
    unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
}
