// norn: violation livelock line=12
// After a try that failed this waits for more than the next one needs: for what never comes.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int word;

static void *takes(void *unused) {
    int before = atomic_fetch_sub(&word, 1);
    while (before <= 0) {
        atomic_fetch_add(&word, 1);
        while (atomic_load(&word) <= 1)
            ;
        before = atomic_fetch_sub(&word, 1);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, takes, NULL);
    atomic_fetch_add(&word, 1);
    pthread_join(thread, NULL);
    return 0;
}
