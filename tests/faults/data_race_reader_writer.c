// norn: violation data_race line=21
// A reader that has left is ordered before a writer, but not before another reader.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *first(void *unused) {
    pthread_rwlock_rdlock(&lock);
    int read = x;
    pthread_rwlock_unlock(&lock);
    assert(read <= 1);
    return unused;
}

static void *second(void *unused) {
    pthread_rwlock_rdlock(&lock);
    x = 1;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
