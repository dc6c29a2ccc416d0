// norn: verified executions=1
// The padding of what is exchanged was never set.
#include <assert.h>
#include <stdatomic.h>

typedef struct {
    int number;
    short half;
} record;

static _Atomic(record) shared;

int main(void) {
    record first, second;
    first.number = 0;
    first.half = 0;
    second.number = 1;
    second.half = 1;
    atomic_init(&shared, first);
    record seen = atomic_load(&shared);
    while (!atomic_compare_exchange_strong(&shared, &seen, second))
        ;
    seen = atomic_load(&shared);
    assert(seen.number == 1);
    return 0;
}
