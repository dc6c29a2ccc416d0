// N threads append to a list without a lock: each looks where the end is, puts its number there and moves the
// end by one, so that some numbers are lost.
//
// Table 2 of the paper on reads-value-from has 9847080 (source sets), 198936 (reads-from) and 50897 for 6, of a text
// that is not in it.
//
// norn: model=sc N=4 executions=2616
// norn: model=sc algorithm=rf N=4 executions=125
// norn: model=sc algorithm=rvf N=4 executions=91
// norn: model=sc N=6 executions=9854640 slow values
// norn: model=sc algorithm=rf N=6 executions=16807 values
// norn: model=sc algorithm=rvf N=6 executions=8166 values
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
