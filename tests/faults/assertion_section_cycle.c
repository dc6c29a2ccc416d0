// norn: violation assertion line=24
// A section comes before or after all that another thread does in order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <norn.h>

static atomic_int x, y;

static void *work(void *unused) {
    int seen = x;
    y = seen + 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    x = 1;
    int seen = y;
    pthread_join(thread, NULL);
    assert(!(seen == 0 && y == 1));
    return 0;
}
