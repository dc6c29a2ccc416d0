// norn: verified executions=1
// It writes all the time, and each time something else.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;

static void *flips(void *unused) {
    while (atomic_load(&x) != 2)
        atomic_store(&x, atomic_load(&x) + 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, flips, NULL);
    pthread_join(thread, NULL);
    return 0;
}
