// norn: verified executions=1
// A test-and-set lock of three threads: whoever waits writes back what it has read, again and again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int counter;

static void *work(void *unused) {
    while (atomic_flag_test_and_set(&lock));
    counter++;
    atomic_flag_clear(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(counter == 3);
    return 0;
}
