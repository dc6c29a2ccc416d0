// A driver with an open and a release: one thread sets it up, waits for an open and releases it; three open
// it. (27_Boop of the SV-COMP collection with three openers, with waits bounded by N looks and without the
// assertion. Table 1 of the paper on reads-value-from has 11610040 (reads-from) and 1337215 for 10, of a text that
// is not in it. Looks that fail stand for each other, so that N does not matter.)
//
// norn: model=sc N=1 executions=22273 values
// norn: model=sc algorithm=rf N=1 executions=3062 values
// norn: model=sc algorithm=rvf N=1 executions=1679 values
// norn: model=sc N=2 executions=22273
// norn: model=sc algorithm=rf N=2 executions=3062
// norn: model=sc algorithm=rvf N=2 executions=1679
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

static atomic_int usecount, locked, opened, ready;

static int look(atomic_int *at) {
    for (int i = 0; i < N; i++)
        if (atomic_load(at))
            return 1;
    return 0;
}

static void *open_it(void *unused) {
    if (!look(&ready))
        return NULL;
    atomic_store(&usecount, atomic_load(&usecount) + 1);
    if (atomic_load(&locked))
        return NULL;
    atomic_store(&locked, 1);
    atomic_store(&opened, 1);
    return NULL;
}

static void *serve(void *unused) {
    atomic_store(&usecount, 0);
    atomic_store(&locked, 0);
    atomic_store(&ready, 1);
    if (!look(&opened))
        return NULL;
    atomic_store(&usecount, atomic_load(&usecount) - 1);
    atomic_store(&locked, 0);
    (void)atomic_load(&usecount);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, serve, NULL);
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, NULL, open_it, NULL);
    return 0;
}
