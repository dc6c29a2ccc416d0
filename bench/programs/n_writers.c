// N threads that store the same value, and one that loads it. (n_writers_a_reader, but for the values.)
//
// norn: model=sc algorithm=rvf N=8 executions=2 values
// norn: model=sc algorithm=rf N=8 executions=9 values
// norn: model=sc N=8 executions=362880 values
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 8
#endif

static atomic_int x;

static void *writer(void *unused) {
    atomic_store(&x, 1);
    return NULL;
}

static void *reader(void *unused) {
    (void)atomic_load(&x);
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < N; i++)
        pthread_create(&thread, NULL, writer, NULL);
    pthread_create(&thread, NULL, reader, NULL);
    return 0;
}
