// norn: verified executions=1
// The near twin of use_after_return_alone.c that has nothing wrong.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static int *escape(void) {
    static int local = 1;
    int *pointer = &local;
    return pointer;
}

int main(void) {
    return *escape() - 1;
}
