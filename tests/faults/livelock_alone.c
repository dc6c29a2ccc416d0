// norn: violation livelock line=8
// There is only one thread, and nobody to wait for.
#include <stdatomic.h>

static atomic_int ready;

int main(void) {
    while (!ready)
        ;
    return 0;
}
