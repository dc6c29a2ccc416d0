// norn: violation assertion line=16
// norn-options: reuse_memory=yes
// A compare-exchange that takes a new object for the old one, because it has its address.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic slot;
static _Atomic int generation;

static void *taker(void *unused) {
    int *seen = atomic_load(&slot);
    int before = atomic_load(&generation);
    if (seen && atomic_compare_exchange_strong(&slot, &seen, NULL)) {
        assert(atomic_load(&generation) == before);
        free(seen);
    }
    return unused;
}

int main(void) {
    pthread_t t;
    atomic_store(&slot, malloc(sizeof(int)));
    pthread_create(&t, NULL, taker, NULL);
    int *old = atomic_exchange(&slot, NULL);
    if (old) {
        free(old);
        atomic_store(&generation, 1);
        atomic_store(&slot, malloc(sizeof(int)));
    }
    pthread_join(t, NULL);
    free(atomic_load(&slot));
    return 0;
}
