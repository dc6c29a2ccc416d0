// norn: verified executions=1
// The first look stands before the loop and the next ones at its end: all are one wait.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static int look(void) {
    return atomic_load(&flag);
}

static void *waits(void *unused) {
    int seen = look();
    while (!seen)
        seen = look();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waits, NULL);
    atomic_store(&flag, 1);
    pthread_join(thread, NULL);
    return 0;
}
