// norn: violation invalid_sync line=9
// A mutex is asked for that another thread may have destroyed.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void use(void) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

static void *user(void *unused) {
    pthread_mutex_lock(&turn);
    use();
    pthread_mutex_unlock(&turn);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, user, NULL);
    pthread_mutex_lock(&turn);
    pthread_mutex_destroy(&mutex);
    pthread_mutex_unlock(&turn);
    pthread_join(thread, NULL);
    return 0;
}
