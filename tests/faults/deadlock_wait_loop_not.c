// norn: verified executions=2
// A loop that takes the mutex anew for every test and looks at the flag then.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    for (;;) {
        pthread_mutex_lock(&mutex);
        int done = ready;
        if (!done)
            pthread_cond_wait(&condition, &mutex);
        pthread_mutex_unlock(&mutex);
        if (done)
            break;
    }
    pthread_join(thread, NULL);
    return 0;
}
