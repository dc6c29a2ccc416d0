// Treiber's stack (1986): two threads push N numbers each, and all of them are there at the end.
//
// With -DBUG a push replaces the top by an exchange after it has linked its node: numbers are lost.
//
// norn: model=sc verdict=verified
// norn: model=sc -DBUG kind=assertion bound=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif

static int next[2 * N + 1];
static atomic_int top;

static void push(int node) {
    int below = atomic_load(&top);
#ifdef BUG
    next[node] = below;
    atomic_exchange(&top, node);
#else
    do
        next[node] = below;
    while (!atomic_compare_exchange_strong(&top, &below, node));
#endif
}

static void *pusher(void *argument) {
    int me = (int)(intptr_t)argument;
    for (int i = 1; i <= N; i++)
        push(me * N + i);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, pusher, (void *)(intptr_t)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    int count = 0;
    for (int node = atomic_load(&top); node != 0; node = next[node])
        count++;
    assert(count == 2 * N);
    return 0;
}
