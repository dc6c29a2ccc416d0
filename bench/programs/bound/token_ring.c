// Four variables, each computed from its neighbour under a lock; a checker expects a ring that is
// not always there.
//
// After `token_ring` of SCTBench.
//
// norn: model=sc kind=assertion bound=0
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x1 = 1, x2 = 2, x3 = 1;

static void *first(void *unused) {
    pthread_mutex_lock(&lock);
    x1 = (x3 + 1) % 4;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *second(void *unused) {
    pthread_mutex_lock(&lock);
    x2 = x1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *third(void *unused) {
    pthread_mutex_lock(&lock);
    x3 = x2;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *check(void *unused) {
    pthread_mutex_lock(&lock);
    assert((x1 == 1 && x2 == 2 && x3 == 1) || (x1 == x2 && x2 == x3));
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t threads[4];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_create(&threads[2], NULL, third, NULL);
    pthread_create(&threads[3], NULL, check, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
