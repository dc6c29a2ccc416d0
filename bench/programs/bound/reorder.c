// N setters write a and then b; a checker sees a setter between its two writes.
//
// After `reorder` of SCTBench; 20 threads there.
//
// norn: model=sc kind=assertion bound=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

static atomic_int a, b;

static void *set(void *unused) {
    a = 1;
    b = -1;
    return NULL;
}

static void *check(void *unused) {
    int x = a, y = b;
    assert((x == 0 && y == 0) || (x == 1 && y == -1) || (x == 0 && y == -1));
    return NULL;
}

int main(void) {
    pthread_t setters[N], checker;
    for (int i = 0; i < N; i++)
        pthread_create(&setters[i], NULL, set, NULL);
    pthread_create(&checker, NULL, check, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(setters[i], NULL);
    pthread_join(checker, NULL);
    return 0;
}
