// norn: verified executions=1
// A key without a value has a null one.
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

int main(void) {
    pthread_key_create(&key, NULL);
    assert(pthread_getspecific(key) == NULL);
    return 0;
}
