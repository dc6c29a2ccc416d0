// A device of memory, as the driver scull: two threads write the same N bytes each and note how many there are,
// one reads up to N of them, each byte under a mutex. (The program of the paper on reads-value-from is such a
// driver, too; its text is not in the paper.)
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int size, data[N];

static void *write_some(void *unused) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        atomic_store(&data[i], 1);
        if (atomic_load(&size) <= i)
            atomic_store(&size, i + 1);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *read_some(void *unused) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        if (i < atomic_load(&size))
            (void)atomic_load(&data[i]);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, write_some, NULL);
    pthread_create(&thread, NULL, write_some, NULL);
    pthread_create(&thread, NULL, read_some, NULL);
    return 0;
}
