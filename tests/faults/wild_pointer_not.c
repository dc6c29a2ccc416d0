// norn: verified executions=1
// The near twin of wild_pointer.c that has nothing wrong.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <stdint.h>

static int target;

int main(void) {
    int *pointer = (int *)((uintptr_t)&target ^ 0);
    *pointer = 1;
    return 0;
}
