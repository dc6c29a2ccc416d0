// norn: violation null_pointer line=8
// A lock with a time limit, but without the time.
#include <threads.h>

int main(void) {
    mtx_t mutex;
    mtx_init(&mutex, mtx_timed);
    mtx_timedlock(&mutex, NULL);
    mtx_unlock(&mutex);
    mtx_destroy(&mutex);
    return 0;
}
