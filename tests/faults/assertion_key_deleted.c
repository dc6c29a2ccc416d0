// norn: violation assertion line=13
// The thread may end before the key is deleted; then the destructor is called.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_key_t key;
static int value;
static sem_t set;

static void destroy(void *unused) {
    (void)unused;
    assert(0);
}

static void *work(void *unused) {
    pthread_setspecific(key, &value);
    sem_post(&set);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&set, 0, 0);
    pthread_key_create(&key, destroy);
    pthread_create(&thread, NULL, work, NULL);
    sem_wait(&set);
    pthread_key_delete(key);
    pthread_join(thread, NULL);
    return 0;
}
