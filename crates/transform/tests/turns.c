// Loops whose first try stands before them, and functions that wait by calling themselves; see turns.rs.
#include <stdatomic.h>

static atomic_int x, y;
static int sink;

static int look(int at_least) {
    return atomic_load(&y) >= at_least;
}

static void wait(void) { // loop
    if (!atomic_load(&x))
        wait();
}

static int wait_for(int at_least) {
    int seen = atomic_load(&x); // loop
    if (seen >= at_least)
        return seen;
    return wait_for(at_least);
}

static void lock(void) {
    if (atomic_exchange(&y, 1)) { // loop, asked
        lock();
        return;
    }
    sink++;
}

static void counts(int depth) {
    if (!atomic_load(&x))
        counts(depth + 1);
}

static void comes_back(void) {
    if (!atomic_load(&x)) {
        comes_back();
        sink++;
    }
}

static void leaves_a_mark(void) {
    atomic_store(&y, 1);
    if (!atomic_load(&x))
        leaves_a_mark();
}

int main(void) {
    int before = atomic_fetch_sub(&x, 1); // turn, asked
    while (before <= 0) {
        atomic_fetch_add(&x, 1);
        while (atomic_load(&x) <= 0); // asked
        before = atomic_fetch_sub(&x, 1); // turn, asked
    }
    int seen = look(1); // turn
    while (!seen)
        seen = look(1); // turn
    int other = look(1);
    while (!other)
        other = look(2);
    int kept = atomic_load(&y); // turn
    while (kept != 3) {
        sink = kept;
        kept = atomic_load(&y); // turn
    }
    int weaker = atomic_load_explicit(&y, memory_order_relaxed);
    while (weaker != 3) // no turn: the orders differ
        weaker = atomic_load(&y);
    do sink = atomic_load(&x);
    while (sink == 3);
    while (atomic_fetch_sub(&y, 1) == 5); // asked
    int value = atomic_fetch_add(&y, 2);
    if (value > 3)
        sink = value;
    int twice = atomic_fetch_add(&y, 2); // asked
    if (twice > 3)
        sink = 1;
    int twos = atomic_fetch_add(&y, 2);
    if (twos > 3 && twos < 7)
        sink = 1;
    wait();
    sink = wait_for(3);
    lock();
    counts(0);
    comes_back();
    leaves_a_mark();
    return 0;
}
