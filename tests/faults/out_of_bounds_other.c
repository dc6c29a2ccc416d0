// norn: violation out_of_bounds line=13
// An index that reaches beyond the next variable too.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int a[4];
static int b[64];

int main(void) {
    volatile int index = 12;
    a[index] = 1;
    return b[0];
}
