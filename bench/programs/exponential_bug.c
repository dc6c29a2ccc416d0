// Twice, a thread stores once to x and N times to y under a lock; another clears x under the same lock
// and, if it then sees something in x, adds one to what it reads from y and stores 2 to x; the third
// looks at x and y and stores to y unless it reads 3. (Exponential_bug(N) of the paper on optimal model
// checking under release-acquire.)
//
// There, 15601, 22841, 32313 and 44428 reads-from relations: three fewer each. README.md tells why we
// take ours to be right, and what the number of `rvf` depends on.
//
// norn: model=ra algorithm=rf N=6 executions=15604
// norn: model=ra algorithm=rf N=7 executions=22844
// norn: model=ra algorithm=rf N=8 executions=32316
// norn: model=ra algorithm=rf N=9 executions=44431
// norn: model=ra N=6 executions=1203446
// norn: model=sc N=5 executions=345069 values
// norn: model=sc algorithm=rf N=5 executions=10131 values
// norn: model=sc algorithm=rvf N=5 executions=270 values
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 6
#endif

static atomic_int x, y;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int load(atomic_int *from) {
    return atomic_load_explicit(from, memory_order_acquire);
}

static void store(atomic_int *to, int value) {
    atomic_store_explicit(to, value, memory_order_release);
}

static void *writer(void *unused) {
    for (int round = 0; round < 2; round++) {
        pthread_mutex_lock(&mutex);
        store(&x, 1);
        for (int i = 0; i < N; i++)
            store(&y, 1);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static void *resetter(void *unused) {
    for (int round = 0; round < 2; round++) {
        pthread_mutex_lock(&mutex);
        store(&x, 0);
        pthread_mutex_unlock(&mutex);
        if (load(&x) > 0) {
            store(&y, load(&y) + 1);
            store(&x, 2);
        }
    }
    return NULL;
}

static void *observer(void *unused) {
    for (int round = 0; round < 2; round++) {
        if (load(&x) > 1) {
            if (load(&y) == 3)
                break;
            store(&y, 2);
        }
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    pthread_create(&thread, NULL, resetter, NULL);
    pthread_create(&thread, NULL, observer, NULL);
    return 0;
}
