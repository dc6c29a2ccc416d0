// norn: violation invalid_sync line=9
// A value is asked for before its key is made.
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

int main(void) {
    assert(pthread_getspecific(key) == NULL);
    pthread_key_create(&key, NULL);
    return 0;
}
