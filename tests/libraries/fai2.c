// FAI/2: two threads, each fetches and increments.
#include <pthread.h>

int fetch_and_increment(int *c);

static int c;

static void *worker(void *arg) {
    fetch_and_increment(&c);
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
}
