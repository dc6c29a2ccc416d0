// norn: verified executions=1
// Each slot is tried until the try does not fail for no reason.
#include <assert.h>
#include <stdatomic.h>

static atomic_int slots[2];

int main(void) {
    int taken = 0;
    for (int i = 0; i < 2; i++) {
        int expected = 0;
        while (!atomic_compare_exchange_weak(&slots[i], &expected, 1))
            ;
        taken++;
    }
    assert(taken == 2);
    return 0;
}
