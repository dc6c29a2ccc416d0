// norn: violation uninitialised_read line=9
// What a compare-exchange expects was never set.
#include <stdatomic.h>

static atomic_int x;

int main(void) {
    int expected;
    return atomic_compare_exchange_strong(&x, &expected, 1) ? 0 : 1;
}
