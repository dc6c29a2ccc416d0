// norn: verified executions=1
// The near twin of double_free.c that has nothing wrong.
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
    return 0;
}
