// norn: violation livelock line=9
// The first look stands before the loop and the next ones at its end; nobody ever sets the flag.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, other;

static int look(void) {
    return atomic_load(&flag);
}

static void *waits(void *unused) {
    int seen = look();
    int before = atomic_load(&other);
    while (!seen) {
        before = atomic_load(&other);
        seen = look();
    }
    return (void *)(long)before;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waits, NULL);
    atomic_store(&other, 1);
    pthread_join(thread, NULL);
    return 0;
}
