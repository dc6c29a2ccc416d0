// norn: violation invalid_sync line=12
// A mutex is initialised while it is held.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_init(&mutex, NULL);
    return 0;
}
