// norn: violation use_after_free line=20
// One thread makes larger what another one allocated, and the old address is used again.
#include <pthread.h>
#include <stdlib.h>

static long *numbers;

static void *grow(void *unused) {
    long *larger = realloc(numbers, 4 * sizeof(long));
    larger[3] = 4;
    free(larger);
    return unused;
}

int main(void) {
    pthread_t t;
    numbers = calloc(2, sizeof(long));
    pthread_create(&t, NULL, grow, NULL);
    pthread_join(t, NULL);
    return (int)numbers[0];
}
