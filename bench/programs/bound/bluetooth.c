// A driver that is stopped while a request comes in.
//
// After the model of the Bluetooth driver of Qadeer and Wu (PLDI 2004). A request looks whether the
// driver is being stopped and only then counts itself as pending; if the stop happens in between,
// the request works with a driver that has stopped.
//
// norn: model=sc kind=assertion bound=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int pending = 1;
static atomic_bool stopping, stop_event, stopped;

static void finish(void) {
    if (atomic_fetch_sub(&pending, 1) == 1)
        stop_event = true;
}

static void *request(void *unused) {
    if (stopping)
        return NULL;
    atomic_fetch_add(&pending, 1);
    assert(!stopped);
    finish();
    return NULL;
}

static void *stop(void *unused) {
    stopping = true;
    finish();
    if (stop_event)
        stopped = true;
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, request, NULL);
    pthread_create(&two, NULL, stop, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
