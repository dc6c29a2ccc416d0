// A device of memory, as the driver scull: two threads write the same N bytes each and note how many there are,
// one reads up to N of them. The semaphore of the driver is left out. Table 1 of the paper on reads-value-from
// has 3157281 (source sets), 749811 (reads-from) and 3908 for 2, of a text that is not in it.
//
// norn: model=sc N=2 executions=1050 values
// norn: model=sc algorithm=rf N=2 executions=385 values
// norn: model=sc algorithm=rvf N=2 executions=96 values
// norn: model=sc N=3 executions=58876 values
// norn: model=sc algorithm=rf N=3 executions=16473 values
// norn: model=sc algorithm=rvf N=3 executions=1979 values
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static atomic_int size, data[N];

static void *write_some(void *unused) {
    for (int i = 0; i < N; i++) {
        atomic_store(&data[i], 1);
        if (atomic_load(&size) <= i)
            atomic_store(&size, i + 1);
    }
    return NULL;
}

static void *read_some(void *unused) {
    for (int i = 0; i < N; i++)
        if (i < atomic_load(&size))
            (void)atomic_load(&data[i]);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, write_some, NULL);
    pthread_create(&thread, NULL, write_some, NULL);
    pthread_create(&thread, NULL, read_some, NULL);
    return 0;
}
