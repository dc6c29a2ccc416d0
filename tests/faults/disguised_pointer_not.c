// norn: verified executions=2
// The near twin, without the fault.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <stdint.h>

static atomic_uintptr_t top;

static void *work(void *unused) {
    uintptr_t address = atomic_load_explicit(&top, memory_order_acquire);
    if (address)
        assert(*(int *)(address) == 7);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    int *cell = malloc(sizeof *cell);
    *cell = 7;
    atomic_store_explicit(&top, (uintptr_t)cell, memory_order_release);
    pthread_join(thread, NULL);
    free(cell);
    return 0;
}
