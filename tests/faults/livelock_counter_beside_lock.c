// norn: violation livelock line=13
// A thread takes a lock again and again, and its counter, which lies in memory, does not count.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int limit = 3;

static void *count(void *unused) {
    volatile int i = 0;
    do {
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    } while (i < limit);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, count, NULL);
    pthread_join(thread, NULL);
    return 0;
}
