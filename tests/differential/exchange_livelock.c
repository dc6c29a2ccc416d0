// norn: violation livelock line=16
// norn-options: model=ra
// Which of the two stores is the last is not a matter of who reads from whom: in the execution in which 1 comes
// last, the loop goes round for ever.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x = 0;

static void *store(void *value) {
    atomic_store(&x, (int)(long)value);
    return NULL;
}

static void *wait(void *unused) {
    while (atomic_exchange(&x, 1) == 1);
    return NULL;
}

int main(void) {
    pthread_t waiter, one, three;
    pthread_create(&waiter, NULL, wait, NULL);
    pthread_create(&one, NULL, store, (void *)1);
    pthread_create(&three, NULL, store, (void *)3);
    pthread_join(waiter, NULL);
    return 0;
}
