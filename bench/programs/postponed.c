// One read that three threads may have written before, two of them after a read of their own. (Fig. 7
// of the paper on optimal model checking under release-acquire.)
//
// norn: model=ra algorithm=rf executions=4
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *reader(void *unused) {
    (void)atomic_load_explicit(&x, memory_order_acquire);
    return NULL;
}

static void *two(void *unused) {
    atomic_store_explicit(&x, 2, memory_order_release);
    return NULL;
}

static void *three(void *unused) {
    (void)atomic_load_explicit(&y, memory_order_acquire);
    atomic_store_explicit(&x, 3, memory_order_release);
    return NULL;
}

static void *four(void *unused) {
    (void)atomic_load_explicit(&y, memory_order_acquire);
    atomic_store_explicit(&x, 4, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    pthread_create(&thread, NULL, two, NULL);
    pthread_create(&thread, NULL, three, NULL);
    pthread_create(&thread, NULL, four, NULL);
    return 0;
}
