// norn: verified executions=4
// The near twin: what it wrote counts only if it did not fail.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int word, stop;

static int take(int *taken) {
    for (;;) {
        int seen = atomic_load(&word);
        if (seen == 3 || atomic_load(&stop))
            return 0;
        *taken = seen;
        if (atomic_compare_exchange_strong(&word, &seen, seen + 1))
            return 1;
    }
}

static void check(int taken) {
    assert(taken >= 0);
}

static void *work(void *unused) {
    int taken;
    if (take(&taken))
        check(taken);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    atomic_store(&stop, 1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
