// norn: violation wild_pointer line=14
// An address where nothing is.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <stdint.h>

static int target;

int main(void) {
    int *pointer = (int *)((uintptr_t)&target ^ 0x70000000000);
    *pointer = 1;
    return 0;
}
