// norn: verified executions=2
// The near twin, without the fault.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) top;
static atomic_int done;

static void *first(void *unused) {
    int local = 1;
    atomic_store_explicit(&top, &local, memory_order_release);
    while (!atomic_load(&done))
        ;
    return unused;
}

static void *second(void *unused) {
    int *cell = atomic_load_explicit(&top, memory_order_acquire);
    if (cell)
        *cell = 2;
    atomic_store(&done, 1);
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
