// N + 1 threads that read and then write a datum under a reader-writer lock of one word, as Linux has it: a
// reader takes one of it, a writer all. Who does not get it looks up to N times.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 1
#endif

#define FREE 0x100000

static atomic_int lock = FREE;
static int datum;

static int take(int how_much) {
    for (int i = 0; i <= N; i++) {
        if (atomic_fetch_sub(&lock, how_much) >= how_much)
            return 1;
        atomic_fetch_add(&lock, how_much);
        for (int j = 0; j < N && atomic_load(&lock) < how_much; j++)
            ;
    }
    return 0;
}

static void *both(void *unused) {
    if (take(1)) {
        (void)*(volatile int *)&datum;
        atomic_fetch_add(&lock, 1);
    }
    if (take(FREE)) {
        *(volatile int *)&datum = 1;
        atomic_fetch_add(&lock, FREE);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < N + 1; i++)
        pthread_create(&thread, NULL, both, NULL);
    return 0;
}
