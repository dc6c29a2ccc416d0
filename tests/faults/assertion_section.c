// norn: violation assertion line=21
// Somebody sees the middle of what two stores do; not that of an atomic section.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <norn.h>

static atomic_int x;

static void *work(void *unused) {
    x = 1;
    x = 2;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    assert(x != 1);
    pthread_join(thread, NULL);
    return 0;
}
