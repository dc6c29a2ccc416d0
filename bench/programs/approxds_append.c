// N threads append to a list without a lock: each looks where the end is, puts its number there and moves the
// end by one, so that some numbers are lost.
//
// norn: model=sc N=4 executions=2616
// norn: model=sc algorithm=rf N=4 executions=125
// norn: model=sc algorithm=rvf N=4 executions=91
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif

static atomic_int end, slot[N + 1];

static void *append(void *argument) {
    int at = atomic_load(&end);
    atomic_store(&slot[at], (int)(intptr_t)argument);
    atomic_store(&end, at + 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < N; i++)
        pthread_create(&thread, NULL, append, (void *)(intptr_t)(i + 1));
    return 0;
}
