// norn: verified executions=2
// norn-options: model=ra
// The lock is given back by an atomic store.
#include <pthread.h>

int held;

static void *enter(void *unused) {
    while (__sync_lock_test_and_set(&held, 1))
        ;
    __sync_lock_release(&held);
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, enter, NULL);
    pthread_create(&other, NULL, enter, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
}
