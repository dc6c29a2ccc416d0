// norn: violation assertion line=29
// Two increments that are not atomic as a whole: one may be lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int x;

static void *first(void *unused) {
    (void)unused;
    x = x + 1;
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    x = x + 1;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2);
    return 0;
}
