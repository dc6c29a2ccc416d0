// norn: violation use_after_return line=16
// The address of a local variable as a result.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static int *escape(void) {
    int local = 1;
    int *pointer = &local;
    return pointer;
}

int main(void) {
    return *escape() - 1;
}
