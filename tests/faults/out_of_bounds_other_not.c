// norn: verified executions=1
// The near twin, without the fault.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int a[4];
static int b[64];

int main(void) {
    volatile int index = 3;
    a[index] = 1;
    return b[0];
}
