// Reads after which a loop may go round without anything being done; see watch.rs.
#include <stdatomic.h>

static atomic_int x, y, slots[4];
static int sink;

static int look(void) {
    return atomic_load(&y); // watched
}

static int write_and_look(void) {
    atomic_store(&x, 1);
    return atomic_load(&y); // watched
}

int main(void) {
    while (atomic_load(&x) != 1); // watched
    while (atomic_exchange(&x, 1)); // watched
    while (look());
    while (write_and_look());
    do sink = atomic_load(&x); // watched
    while (sink == 3); // watched
    for (int i = 0; i < 4; i++)
        sink += atomic_load(&slots[i]);
    int slot = 0, expected = 0;
    while (!atomic_compare_exchange_strong(&slots[slot], &expected, 1)) {
        slot = (slot + 1) % 4;
        expected = 0;
    }
    for (;;) {
        int seen = atomic_load(&x);
        if (seen == atomic_load(&y)) // watched
            break;
    }
    while (atomic_load(&x) == 2)
        if (atomic_load(&y) == 2) // watched
            atomic_store(&slots[0], 1);
    return atomic_load(&x);
}
