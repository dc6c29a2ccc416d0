// norn: verified executions=15
// norn-options: reuse_memory=yes
// The address comes with a number that is never the same again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static _Atomic uintptr_t slot;
static _Atomic int generation;

static uintptr_t tagged(int *object, uintptr_t number) { return (uintptr_t)object | number; }
static int *untagged(uintptr_t value) { return (int *)(value & ~(uintptr_t)15); }

static void *taker(void *unused) {
    uintptr_t seen = atomic_load(&slot);
    int before = atomic_load(&generation);
    if (seen && atomic_compare_exchange_strong(&slot, &seen, 0)) {
        assert(atomic_load(&generation) == before);
        free(untagged(seen));
    }
    return unused;
}

int main(void) {
    pthread_t t;
    atomic_store(&slot, tagged(malloc(sizeof(int)), 1));
    pthread_create(&t, NULL, taker, NULL);
    uintptr_t old = atomic_exchange(&slot, 0);
    if (old) {
        free(untagged(old));
        atomic_store(&generation, 1);
        atomic_store(&slot, tagged(malloc(sizeof(int)), 2));
    }
    pthread_join(t, NULL);
    free(untagged(atomic_load(&slot)));
    return 0;
}
