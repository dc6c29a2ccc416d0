// norn: violation livelock line=13
// A thread that waits for a value that never comes.
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
    if (atomic_load(&go))
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
