// A reader walks down an array until it finds a zero, while writer j stores array[j-1] + 1 into
// array[j].
//
// There are (N + 3) · 2^(N − 2) executions.
//
// norn: model=sc N=5 executions=64 growth
// norn: model=sc N=6 executions=144 growth
// norn: model=sc N=8 executions=704 growth
// norn: model=sc N=10 executions=3328 bar=36000 growth
// norn: model=sc N=12 executions=15360 growth
// norn: model=sc N=15 executions=147456 peer=20000 growth long
// norn: model=sc N=20 executions=20000 limit=20000 growth
// norn: model=sc N=40 executions=20000 limit=20000 growth slow
// norn: model=sc N=80 executions=20000 limit=20000 growth slow
// norn: model=sc algorithm=rf N=5 executions=64
// norn: model=sc algorithm=rf N=10 executions=3328
// norn: model=sc algorithm=rf N=15 executions=147456 slow
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 10
#endif

static atomic_int array[N + 1];

static void *reader(void *unused) {
    for (int i = N; atomic_load(&array[i]) != 0; i--)
        ;
    return NULL;
}

static void *writer(void *argument) {
    int j = (int)(intptr_t)argument;
    atomic_store(&array[j], atomic_load(&array[j - 1]) + 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    for (int j = 1; j <= N; j++)
        pthread_create(&thread, NULL, writer, (void *)(intptr_t)j);
    return 0;
}
