// norn: violation assertion line=29 warning=unroll:25
// norn-options: unroll=3
// Who polls under a lock is seen by who tries for it: going round once more is an effect.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready, busy;

static void *other(void *unused) {
    if (pthread_mutex_trylock(&mutex) != 0)
        atomic_store(&busy, 1);
    else
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
