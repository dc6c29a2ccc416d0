// Two threads that add to each other's number in turns; only the schedule that always switches
// reaches the largest sums.
//
// After `triangular` of SV-COMP, made so that the error needs many preemptions.
//
// norn: model=sc kind=assertion bound=4
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif
#define LIMIT (6 + 2 * N - 1)

static atomic_int i = 3, j = 6;

static void *first(void *unused) {
    for (int k = 0; k < N; k++)
        i = j + 1;
    return NULL;
}

static void *second(void *unused) {
    for (int k = 0; k < N; k++)
        j = i + 1;
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(i <= LIMIT && j <= LIMIT);
    return 0;
}
