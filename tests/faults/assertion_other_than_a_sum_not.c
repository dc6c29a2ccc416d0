// norn: verified executions=1
// A try takes one back that it has added, and between the two somebody else adds: what is left is what there
// would be without the try.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x = 1;

static void *try(void *unused) {
    while (atomic_fetch_add(&x, 1) <= 1)
        atomic_fetch_sub(&x, 1);
    return NULL;
}

static void *set(void *unused) {
    atomic_fetch_add(&x, 4);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, try, NULL);
    pthread_create(&two, NULL, set, NULL);
    pthread_join(one, NULL), pthread_join(two, NULL);
    assert(x != 7);
    return 0;
}
