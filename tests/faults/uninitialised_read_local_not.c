// norn: verified executions=1
// The near twin of uninitialised_read_local.c that has nothing wrong.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static int choose(int which) {
    int value = 0;
    if (which)
        value = 1;
    return value;
}

int main(void) {
    return choose(0);
}
