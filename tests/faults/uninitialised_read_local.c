// norn: violation uninitialised_read line=17
// A local variable that is written on one path only.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static int choose(int which) {
    int value;
    if (which)
        value = 1;
    return value;
}

int main(void) {
    return choose(0);
}
