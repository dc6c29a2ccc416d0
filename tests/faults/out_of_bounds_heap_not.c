// norn: verified executions=1
// The near twin, without the fault.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int main(void) {
    int *a = malloc(4 * sizeof *a), *b = malloc(64 * sizeof *b);
    a[3] = 1;
    free(a);
    free(b);
    return 0;
}
