// norn: violation invalid_sync line=10
// A static initialiser is as good as a call: the mutex is initialised a second time.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_init(&mutex, NULL);
    return 0;
}
