// norn: violation use_after_return line=15
// A local variable that another thread may use after its function returned.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static _Atomic(atomic_int *) shared;

static void *first(void *unused) {
    (void)unused;
    atomic_int *seen = atomic_load(&shared);
    if (seen != NULL)
        atomic_store(seen, 1);
    return NULL;
}

static void lend(pthread_t thread) {
    atomic_int local = 0;
    atomic_store(&shared, &local);
    (void)thread;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, first, NULL);
    lend(a);
    pthread_join(a, NULL);
    return 0;
}
