// norn: verified executions=1
// A lock with a time limit.
#include <threads.h>

int main(void) {
    mtx_t mutex;
    struct timespec limit = {1, 0};
    mtx_init(&mutex, mtx_timed);
    mtx_timedlock(&mutex, &limit);
    mtx_unlock(&mutex);
    mtx_destroy(&mutex);
    return 0;
}
