// norn: verified executions=2
// A thread announces itself, looks how many there are, and takes that back, until there are two.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int there;

static void *meet(void *unused) {
    for (;;) {
        atomic_fetch_add(&there, 1);
        if (atomic_fetch_sub(&there, 1) == 2)
            return NULL;
    }
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, meet, NULL);
    atomic_fetch_add(&there, 1);
    pthread_join(thread, NULL);
    return 0;
}
