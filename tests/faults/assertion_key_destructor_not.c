// norn: verified executions=1
// The near twin, without the fault.
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
    return 0;
}
