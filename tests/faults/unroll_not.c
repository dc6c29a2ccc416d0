// norn: verified executions=1
// norn-options: unroll=3
// A loop that goes round three times, with a bound of 3.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int x;

static void *first(void *unused) {
    (void)unused;
    for (int i = 0; i < 3; i++)
        atomic_fetch_add(&x, 1);
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, first, NULL);
    pthread_join(a, NULL);
    return 0;
}
