// norn: verified executions=1
// norn-options: model=ra
// The flag is set by an atomic store.
#include <pthread.h>

int flag;

static void *set(void *unused) {
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    return unused;
}

static void *wait(void *unused) {
    while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE))
        ;
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, set, NULL);
    pthread_create(&other, NULL, wait, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
}
