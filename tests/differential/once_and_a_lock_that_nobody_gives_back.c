// norn: violation deadlock line=12
// norn-options: model=sc
// Whoever runs `take` tries for a mutex that the second thread may hold for ever; the other one waits for
// `take` to end. One of them spins, but not all.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local int holds;

static void take(void) {
    while (!holds && pthread_mutex_trylock(&mutex) != 0);
}

static void *first(void *unused) {
    pthread_once(&once, take);
    return unused;
}

static void *second(void *unused) {
    holds = pthread_mutex_trylock(&mutex) == 0;
    pthread_once(&once, take);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    return 0;
}
