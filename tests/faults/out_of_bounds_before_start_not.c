// norn: verified executions=1
// A pointer into an object may go back to its start.
#include <stdlib.h>

int main(void) {
    int *numbers = malloc(2 * sizeof *numbers), *end = numbers + 2;
    end[-1] = 1;
    end[-2] = 1;
    free(numbers);
    return 0;
}
