// norn: verified executions=1
// The near twin of use_after_free.c that has nothing wrong.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static int *cell;
static atomic_int done;

static void *first(void *unused) {
    (void)unused;
    *cell = 1;
    atomic_store(&done, 1);
    return NULL;
}

int main(void) {
    pthread_t a;
    cell = malloc(sizeof *cell);
    pthread_create(&a, NULL, first, NULL);
    pthread_join(a, NULL);
    free(cell);
    return 0;
}
