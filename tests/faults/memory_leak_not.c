// norn: verified executions=1
// The near twin of memory_leak.c that has nothing wrong.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static void *first(void *unused) {
    (void)unused;
    int *cell = malloc(sizeof *cell);
    *cell = 1;
    free(cell);
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, first, NULL);
    pthread_join(a, NULL);
    return 0;
}
