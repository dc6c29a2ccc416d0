// norn: violation assertion line=11
// Destructors of keys run when a thread ends, but not when main returns.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_key_t key;

static void end(void *value) {
    assert(value == NULL);
}

int main(void) {
    pthread_key_create(&key, end);
    pthread_setspecific(key, &key);
    pthread_exit(NULL);
}
