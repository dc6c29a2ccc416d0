// norn: violation use_after_free line=13
// The same within one thread.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

int main(void) {
    int *cell = malloc(sizeof *cell);
    *cell = 1;
    free(cell);
    int value = *cell;
    return value - 1;
}
