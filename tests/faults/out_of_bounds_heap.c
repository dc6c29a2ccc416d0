// norn: violation out_of_bounds line=10
// An index that reaches into another block of memory.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int main(void) {
    int *a = malloc(4 * sizeof *a), *b = malloc(64 * sizeof *b);
    a[24] = 1;
    free(a);
    free(b);
    return 0;
}
