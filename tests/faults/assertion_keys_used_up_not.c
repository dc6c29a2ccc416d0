// norn: verified executions=1
// There are 1024 keys at a time; a new one has no value.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
    pthread_key_t key;
    for (int i = 0; i < 1024; i++)
        assert(pthread_key_create(&key, NULL) == 0);
    for (int i = 0; i < 10; i++) {
        pthread_key_t more;
        assert(pthread_key_create(&more, NULL) == EAGAIN);
        pthread_setspecific(key, &key);
        pthread_key_delete(key);
        assert(pthread_key_create(&key, NULL) == 0);
        assert(pthread_getspecific(key) == NULL);
    }
    return 0;
}
