// norn: verified executions=3
// The numbers are the same in every run, but each iteration has another one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int ready;

static void *other(void *unused) {
    atomic_store(&ready, 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int lucky = 0;
    pthread_create(&thread, NULL, other, NULL);
    while (!atomic_load(&ready)) {
        if (rand() % 4 == 0) {
            lucky = 1;
            break;
        }
    }
    assert(lucky || atomic_load(&ready));
    pthread_join(thread, NULL);
    return 0;
}
