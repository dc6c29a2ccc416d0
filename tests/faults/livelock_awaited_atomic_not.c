// norn: verified executions=1
#include <norn.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static _Atomic(int *) shared;
static int plain, value;

static void *writer(void *unused) {
    value = 1;
    atomic_store(&shared, &value);
    __atomic_store_n(&plain, 2, __ATOMIC_RELEASE);
    atomic_store(&ready, 3);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    norn_await_ne(&shared, 0);
    norn_await_eq(&plain, 2);
    norn_await_eq(&ready, 3);
    pthread_join(thread, 0);
    return *atomic_load(&shared) - 1;
}
