// norn: violation invalid_join line=18
// A thread that is detached and joined.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static void *first(void *unused) {
    (void)unused;
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, first, NULL);
    pthread_detach(a);
    pthread_join(a, NULL);
    return 0;
}
