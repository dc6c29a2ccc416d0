// norn: verified executions=1 warning=memory_leak:11
// Memory that is never freed: a warning.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static void *first(void *unused) {
    (void)unused;
    int *cell = malloc(sizeof *cell);
    *cell = 1;
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, first, NULL);
    pthread_join(a, NULL);
    return 0;
}
