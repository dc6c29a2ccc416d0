// Two threads that store N times each to one location, one of them 1 and the other 2, and one that loads it
// twice. (The program of ../redundant_co.c, but for the values.)
//
// norn: model=sc algorithm=rf N=100 executions=30301 values
// norn: model=sc algorithm=rvf N=100 executions=7 values
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 20
#endif

static atomic_int x;

static void *writer(void *value) {
    for (int i = 0; i < N; i++)
        atomic_store(&x, (int)(intptr_t)value);
    return NULL;
}

static void *reader(void *unused) {
    (void)atomic_load(&x);
    (void)atomic_load(&x);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, (void *)1);
    pthread_create(&thread, NULL, writer, (void *)2);
    pthread_create(&thread, NULL, reader, NULL);
    return 0;
}
