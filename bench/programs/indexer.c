// N threads insert into a hash table by compare-and-swap with linear probing; only from the twelfth
// thread on do they collide.
//
// norn: model=sc N=12 executions=8
// norn: model=sc N=13 executions=64 growth
// norn: model=sc N=14 executions=512 bar=330000 growth
// norn: model=sc N=15 executions=4096 peer=2400 growth slow
// norn: model=sc N=16 executions=32768 growth long
// norn: model=sc N=20 executions=2000 limit=2000 growth slow
// norn: model=sc N=24 executions=2000 limit=2000 growth slow
// norn: model=sc N=28 executions=2000 limit=2000 growth slow
// norn: model=ra N=13 executions=64 paper=64 source="RCMC in TRACER's Table 2"
// norn: model=ra N=14 executions=512 paper=512 source="RCMC in TRACER's Table 2"
// norn: model=ra N=15 executions=4096 slow paper=4096 source="RCMC in TRACER's Table 2"
// norn: model=ra algorithm=rf N=13 executions=64 paper=64 source="TRACER, Table 2"
// norn: model=ra algorithm=rf N=14 executions=512 paper=512 source="TRACER, Table 2"
// norn: model=ra algorithm=rf N=15 executions=4096 slow paper=4096 source="TRACER, Table 2"
// norn: model=ra algorithm=rf N=16 executions=32768 slow paper=32768 source="TRACER, Table 2"
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 14
#endif
#define SIZE 128
#define INSERTS 4

static atomic_int table[SIZE];

static void *insert(void *argument) {
    int tid = (int)(intptr_t)argument;
    for (int i = 0; i < INSERTS; i++) {
        int w = 11 * (i + 1) + tid;
        int h = (w * 7) % SIZE;
        int empty = 0;
        while (!atomic_compare_exchange_strong(&table[h], &empty, w)) {
            h = (h + 1) % SIZE;
            empty = 0;
        }
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < N; i++)
        pthread_create(&thread, NULL, insert, (void *)(intptr_t)i);
    return 0;
}
