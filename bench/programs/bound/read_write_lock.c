// A lock for readers and writers whose reader enters before it has seen that no writer is inside.
//
// After `read_write_lock-2` of SV-COMP.
//
// norn: model=sc kind=assertion bound=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int writing, readers, x, y;

static void *write_it(void *unused) {
    int none = 0;
    if (atomic_load(&readers) == 0 && atomic_compare_exchange_strong(&writing, &none, 1)) {
        x = 3;
        y = 3;
        writing = 0;
    }
    return NULL;
}

static void *read_it(void *unused) {
    if (atomic_load(&writing))
        return NULL;
    atomic_fetch_add(&readers, 1);
    int seen = x;
    assert(seen == y);
    atomic_fetch_sub(&readers, 1);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, write_it, NULL);
    pthread_create(&threads[1], NULL, read_it, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
