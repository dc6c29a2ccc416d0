// norn: violation livelock line=9
// A function waits by calling itself, for what nobody does.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static int wait_for(int at_least) {
    int seen = atomic_load(&ready);
    if (seen >= at_least)
        return seen;
    return wait_for(at_least);
}

static void *waits(void *unused) {
    return (void *)(long)wait_for(2);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waits, NULL);
    atomic_store(&ready, 1);
    pthread_join(thread, NULL);
    return 0;
}
