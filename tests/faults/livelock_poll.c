// norn: violation livelock line=20
// A loop that looks under a lock until it sees a flag that nobody sets.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    ready = 0;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    int seen;
    pthread_create(&thread, NULL, work, NULL);
    do {
        pthread_mutex_lock(&mutex);
        seen = ready;
        pthread_mutex_unlock(&mutex);
    } while (!seen);
    pthread_join(thread, NULL);
    return 0;
}
