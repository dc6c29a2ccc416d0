#include "counter.h"
#include <assert.h>
#include <pthread.h>

static void *add(void *unused) {
    counter_add();
    return unused;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++) pthread_create(&threads[i], 0, add, 0);
    for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
    assert(counter_value() == N);
}
