// norn: verified executions=1
// The near twin of use_after_free_alone.c that has nothing wrong.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

int main(void) {
    int *cell = malloc(sizeof *cell);
    *cell = 1;
    int value = *cell;
    free(cell);
    return value - 1;
}
