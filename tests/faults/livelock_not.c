// norn: verified executions=1
// The near twin of livelock.c that has nothing wrong.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int go;

static void *first(void *unused) {
    (void)unused;
    while (!atomic_load(&go))
        ;
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    atomic_store(&go, 1);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
