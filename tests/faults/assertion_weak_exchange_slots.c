// norn: violation assertion line=14
// Each slot is tried once, and each try may fail for no reason.
#include <assert.h>
#include <stdatomic.h>

static atomic_int slots[2];

int main(void) {
    int taken = 0;
    for (int i = 0; i < 2; i++) {
        int expected = 0;
        taken += atomic_compare_exchange_weak(&slots[i], &expected, 1);
    }
    assert(taken > 0);
    return 0;
}
