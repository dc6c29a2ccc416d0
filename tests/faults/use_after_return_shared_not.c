// norn: verified executions=1
// The near twin, without the fault.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) top;

static void *first(void *unused) {
    {
        int local = 1;
        atomic_store(&top, &local);
        while (atomic_load(&top))
            ;
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
