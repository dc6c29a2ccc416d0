// norn: verified executions=1
// A write to the start of an object of another thread.
#include <pthread.h>
#include <stdlib.h>

static int *numbers;

static void *work(void *unused) {
    numbers[0] = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    numbers = malloc(2 * sizeof *numbers);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    free(numbers);
    return 0;
}
