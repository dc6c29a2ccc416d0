// norn: verified executions=1
// A destructor that sets its value again is called again, but no more than four times.
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_key_t key;
static atomic_int calls;
static void again(void *value) {
    atomic_fetch_add(&calls, 1);
    pthread_setspecific(key, value);
}
static void *thread(void *argument) {
    pthread_setspecific(key, &calls);
    return NULL;
}
int main(void) {
    pthread_t handle;
    pthread_key_create(&key, again);
    pthread_create(&handle, NULL, thread, NULL);
    pthread_join(handle, NULL);
    assert(atomic_load(&calls) == PTHREAD_DESTRUCTOR_ITERATIONS);
    return 0;
}
