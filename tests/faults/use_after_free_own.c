// norn: violation use_after_free line=10
// A thread goes on with what it has freed itself; others know the object, too.
#include <pthread.h>
#include <stdlib.h>

static int *shared;

static void *work(void *unused) {
    free(shared);
    *shared = 2;
    return unused;
}

int main(void) {
    shared = malloc(sizeof *shared);
    *shared = 1;
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
}
