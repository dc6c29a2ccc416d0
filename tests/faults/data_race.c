// norn: violation data_race line=19
// A store and a load of a plain variable that nothing orders.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static int x;

static void *first(void *unused) {
    (void)unused;
    x = 1;
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    int seen = x;
    (void)seen;
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
