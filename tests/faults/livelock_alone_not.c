// norn: verified executions=1
// It takes many iterations, but each has another state.
#include <stdatomic.h>

static atomic_int ready;

int main(void) {
    while (ready != 200000)
        ready++;
    return 0;
}
