// norn: violation data_race line=9
// norn-options: model=ra
// Whoever tries in vain to take the lock looks at it while its owner gives it back by a plain store.
#include <pthread.h>

int held;

static void *enter(void *unused) {
    while (__sync_lock_test_and_set(&held, 1))
        ;
    held = 0;
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, enter, NULL);
    pthread_create(&other, NULL, enter, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
}
