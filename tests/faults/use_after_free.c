// norn: violation use_after_free line=14
// Memory that may be freed while another thread writes to it.
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
    free(cell);
    pthread_join(a, NULL);
    return 0;
}
