// norn: verified executions=1
// A key is deleted when all have ended that use it.
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
    pthread_join(thread, NULL);
    pthread_key_delete(key);
    return 0;
}
