// norn: verified executions=1
// A strong compare-exchange does not fail for no reason.
#include <assert.h>
#include <stdatomic.h>

static atomic_int x;
static int squares[4];

int main(void) {
    for (int i = 0; i < 4; i++)
        squares[i] = i * i;
    int expected = 0;
    int done = atomic_compare_exchange_strong(&x, &expected, squares[1]);
    assert(done);
    return 0;
}
