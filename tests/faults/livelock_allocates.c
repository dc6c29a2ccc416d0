// norn: violation livelock line=11
// What each round allocates it also frees, so that nothing is different in the next one.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int ready;

static void *waits(void *unused) {
    for (;;) {
        int *copy = malloc(sizeof *copy);
        *copy = atomic_load(&ready);
        int seen = *copy;
        free(copy);
        if (seen)
            return NULL;
    }
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waits, NULL);
    pthread_join(thread, NULL);
    return 0;
}
