// norn: verified executions=1
// The near twin of invalid_free.c that has nothing wrong.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

int main(void) {
    char *text = malloc(8);
    text[0] = 0;
    free(text);
    return 0;
}
