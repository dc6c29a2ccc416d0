// N + 1 threads that read and then write a datum under a reader-writer lock of one word, as Linux has it: a
// reader takes one of it, a writer all. Who does not get it looks up to N times.
//
// Table 2 of the paper on reads-value-from has 59 (source sets and reads-from) and 56 for 1, of a text that is not
// in it.
//
// norn: model=sc N=1 executions=1034 values
// norn: model=sc algorithm=rf N=1 executions=1034 values
// norn: model=sc algorithm=rvf N=1 executions=992 values
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
