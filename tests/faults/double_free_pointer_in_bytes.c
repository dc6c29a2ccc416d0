// norn: violation double_free line=25
// A pointer that goes through an array of bytes, and what it points to is freed twice.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char buffer[8];

static void *work(void *unused) {
    int *number = malloc(sizeof *number);
    *number = 5;
    memcpy(buffer, &number, sizeof number);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    int *number;
    memcpy(&number, buffer, sizeof number);
    assert(*number == 5);
    free(number);
    free(number);
    return 0;
}
