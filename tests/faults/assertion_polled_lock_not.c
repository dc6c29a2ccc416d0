// norn: verified executions=1
// Nobody tries for the lock: polling under it is waiting.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready, busy;

static void *other(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    atomic_store(&ready, 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int seen;
    pthread_create(&thread, NULL, other, NULL);
    do {
        seen = atomic_load(&ready);
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    } while (!seen);
    assert(!atomic_load(&busy));
    pthread_join(thread, NULL);
    return 0;
}
