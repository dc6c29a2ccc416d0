// norn: verified executions=1
// The near twin, without the fault.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_key_t key;

static void *work(void *unused) {
    pthread_setspecific(key, malloc(4));
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, free);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
