#include <stdatomic.h>

atomic_int x;
int y;
int seen;

void ignored(void) {
    atomic_fetch_add(&x, 1); // unused
    x++; // unused
    x -= 2; // unused
    (void)atomic_fetch_or_explicit(&x, 4, memory_order_relaxed); // unused
    __atomic_fetch_xor(&y, 3, __ATOMIC_SEQ_CST); // unused
    atomic_exchange(&x, 7); // unused
}

int returned(void) {
    return atomic_fetch_add(&x, 1);
}

void stored(void) {
    seen = atomic_fetch_add(&x, 1);
}

void overwritten(void) {
    int old = atomic_fetch_add(&x, 1); // unused
    old = atomic_fetch_add(&x, 1);
    seen = old;
}

void compared(void) {
    if (atomic_fetch_add(&x, 1) == 3) {
        seen = 1;
    }
}

void on_one_way(int which) {
    int old = atomic_fetch_add(&x, 1);
    if (which) {
        seen = old;
    }
}

void divided(void) {
    int quotient = 7 / atomic_fetch_add(&x, 1);
    (void)quotient;
}

void in_a_loop(void) {
    for (int i = 0; i < 3; i++) {
        atomic_fetch_add(&x, 1); // unused
    }
}

void from_round_to_round(void) {
    int last = 0;
    for (int i = 0; i < 3; i++) {
        last += atomic_fetch_add(&x, 1);
    }
}

int main(void) {
    ignored();
    returned();
    stored();
    overwritten();
    compared();
    on_one_way(1);
    divided();
    in_a_loop();
    from_round_to_round();
    return 0;
}
