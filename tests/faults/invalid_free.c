// norn: violation invalid_free line=12
// A pointer that the allocator did not return.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

int main(void) {
    char *text = malloc(8);
    text[0] = 0;
    free(text + 1);
    return 0;
}
