// norn: violation assertion line=9
// There are 1024 keys; no more can be made.
#include <assert.h>
#include <pthread.h>

int main(void) {
    pthread_key_t key;
    for (int i = 0; i < 1025; i++)
        assert(pthread_key_create(&key, NULL) == 0);
    return 0;
}
