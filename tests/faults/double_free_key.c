// norn: violation double_free
// A value of a key is freed by hand and by the destructor of the key.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_key_t key;

static void *work(void *unused) {
    pthread_setspecific(key, malloc(4));
    free(pthread_getspecific(key));
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, free);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
