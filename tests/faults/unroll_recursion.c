// norn: inconclusive unroll warning=unroll:10
// norn-options: unroll=2
// A function that calls itself three times, with a bound of 2.
#include <stdatomic.h>

static atomic_int x;

static void count(int left) {
    atomic_fetch_add(&x, 1);
    if (left > 0) count(left - 1);
}

int main(void) {
    count(3);
    return 0;
}
