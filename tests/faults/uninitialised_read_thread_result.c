// norn: violation uninitialised_read line=18
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *unused) {
    long *number = malloc(sizeof *number);
    long result = *number + 1;
    free(number);
    return (void *)result;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, &result);
    assert(result == (void *)1);
    return 0;
}
