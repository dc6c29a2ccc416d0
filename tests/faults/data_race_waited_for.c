// norn: violation data_race line=14
// norn-options: model=ra
// A thread that waits for a flag looks at it before it is set, by a plain store.
#include <pthread.h>

int flag;

static void *set(void *unused) {
    flag = 1;
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
