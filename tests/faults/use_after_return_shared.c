// norn: violation use_after_return line=22
// A thread uses a variable of a block that another one may have left.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) top;

static void *first(void *unused) {
    {
        int local = 1;
        atomic_store(&top, &local);
    }
    return unused;
}

static void *second(void *unused) {
    int *cell;
    while (!(cell = atomic_load(&top)))
        ;
    *cell = 2;
    atomic_store(&top, NULL);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
