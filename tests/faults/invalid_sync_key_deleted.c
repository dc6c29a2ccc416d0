// norn: violation invalid_sync line=9
// A thread uses a key that another one deletes.
#include <pthread.h>

static pthread_key_t key;
static int value;

static void *work(void *unused) {
    pthread_setspecific(key, &value);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, NULL);
    pthread_create(&thread, NULL, work, NULL);
    pthread_key_delete(key);
    pthread_join(thread, NULL);
    return 0;
}
