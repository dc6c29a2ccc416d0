// norn: verified executions=1
// The near twin, without the fault.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;

static void *work(void *unused) {
    while (!atomic_load(&flag))
        ;
    return unused;
}

static void *leave(void *unused) {
    exit(0);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, leave, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
