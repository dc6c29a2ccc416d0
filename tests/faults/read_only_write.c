// norn: violation read_only_write line=15
// A store to a constant.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static int *pointer;
static const int limit = 3;
static int other = 3;

static void *first(void *unused) {
    (void)unused;
    *pointer = 1;
    return NULL;
}

int main(void) {
    pthread_t a;
    pointer = (int *)&limit;
    (void)limit;
    (void)other;
    pthread_create(&a, NULL, first, NULL);
    pthread_join(a, NULL);
    return 0;
}
