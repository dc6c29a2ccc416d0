// norn: violation assertion line=9
// A try to lock may fail although the mutex is free.
#include <assert.h>
#include <threads.h>

int main(void) {
    mtx_t mutex;
    mtx_init(&mutex, mtx_plain);
    assert(mtx_trylock(&mutex) == thrd_success);
    mtx_unlock(&mutex);
    mtx_destroy(&mutex);
    return 0;
}
