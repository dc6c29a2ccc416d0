// norn: violation unlock_not_held line=13
// A mutex that the thread does not hold.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused) {
    (void)unused;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, first, NULL);
    pthread_join(a, NULL);
    return 0;
}
