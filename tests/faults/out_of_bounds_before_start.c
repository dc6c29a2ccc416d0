// norn: violation out_of_bounds line=7
// A write before the start of an object.
#include <stdlib.h>

int main(void) {
    int *numbers = malloc(2 * sizeof *numbers);
    numbers[-1] = 1;
    free(numbers);
    return 0;
}
