// norn: violation livelock line=8
// It writes all the time, but comes back to where it was.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;

static void *flips(void *unused) {
    while (atomic_load(&x) != 2)
        atomic_store(&x, !atomic_load(&x));
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, flips, NULL);
    pthread_join(thread, NULL);
    return 0;
}
