// Threads that each fill one slot of an array; the slot is chosen by an index that all share.
//
// After `sigma` of SV-COMP: the thread that starts the others moves the index on.
//
// norn: model=sc kind=assertion bound=0
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif

static int array[N], array_index = -1;

static void *fill(void *unused) {
    array[array_index] = 1;
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++) {
        array_index++;
        pthread_create(&threads[i], NULL, fill, NULL);
    }
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    int sum = 0;
    for (int i = 0; i < N; i++)
        sum += array[i];
    assert(sum == N);
    return 0;
}
