// norn: violation double_free line=22
// Memory freed by two threads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static void *cell;

static void *first(void *unused) {
    (void)unused;
    free(cell);
    return NULL;
}

int main(void) {
    pthread_t a;
    cell = malloc(8);
    pthread_create(&a, NULL, first, NULL);
    pthread_join(a, NULL);
    free(cell);
    return 0;
}
