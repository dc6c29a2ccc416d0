// norn: expect verified --model rc11
// norn: expect violation data_race --model rc11 -- -DORDER=memory_order_relaxed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef ORDER
#define ORDER memory_order_release
#endif

static int data;
static atomic_int flag;

static void *writer(void *unused) {
    data = 1;
    atomic_store_explicit(&flag, 1, ORDER);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    if (atomic_load_explicit(&flag, memory_order_acquire)) assert(data == 1);
    pthread_join(thread, 0);
}
