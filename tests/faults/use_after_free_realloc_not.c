// norn: verified executions=1
// One thread makes larger what another one allocated.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static long *numbers;

static void *grow(void *unused) {
    long *larger = realloc(numbers, 4 * sizeof(long));
    larger[2] = larger[3] = 4;
    numbers = larger;
    return unused;
}

int main(void) {
    pthread_t t;
    numbers = malloc(2 * sizeof(long));
    numbers[0] = numbers[1] = 1;
    pthread_create(&t, NULL, grow, NULL);
    pthread_join(t, NULL);
    assert(numbers[0] == 1 && numbers[3] == 4);
    free(numbers);
    return 0;
}
