// norn: violation livelock line=9
// A test-and-set lock that is not given back when the second thread finds the counter at one.
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int counter;

static void acquire(void) { while (atomic_flag_test_and_set(&lock)); }

static void *work(void *unused) {
    acquire();
    if (counter++ == 0) return unused;
    atomic_flag_clear(&lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
