// norn: violation abort line=21
// The second thread to arrive aborts.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int count;

static void *first(void *unused) {
    (void)unused;
    if (atomic_fetch_add(&count, 1) == 1)
        abort();
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    if (atomic_fetch_add(&count, 1) == 1)
        abort();
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
