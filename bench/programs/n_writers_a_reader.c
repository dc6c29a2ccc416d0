// N threads that store to one location, and one that loads it.
//
// norn: model=rc11 N=6 executions=5040
// norn: model=ra algorithm=rf N=7 executions=8
// norn: model=ra algorithm=rf N=10 executions=11
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 6
#endif

static atomic_int x;

static void *writer(void *argument) {
    atomic_store_explicit(&x, (int)(intptr_t)argument, memory_order_release);
    return NULL;
}

static void *reader(void *unused) {
    (void)atomic_load_explicit(&x, memory_order_acquire);
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < N; i++)
        pthread_create(&thread, NULL, writer, (void *)(intptr_t)(i + 1));
    pthread_create(&thread, NULL, reader, NULL);
    return 0;
}
