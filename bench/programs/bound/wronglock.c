// One kind of thread guards a number with one lock, the other kind with another.
//
// After `wronglock` of SCTBench.
//
// norn: model=sc kind=assertion bound=1
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 2
#endif

static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t wrong = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *check(void *unused) {
    pthread_mutex_lock(&right);
    int seen = data;
    data++;
    assert(data == seen + 1);
    pthread_mutex_unlock(&right);
    return NULL;
}

static void *add(void *unused) {
    pthread_mutex_lock(&wrong);
    data++;
    pthread_mutex_unlock(&wrong);
    return NULL;
}

int main(void) {
    pthread_t checker, adders[N];
    pthread_create(&checker, NULL, check, NULL);
    for (int i = 0; i < N; i++)
        pthread_create(&adders[i], NULL, add, NULL);
    pthread_join(checker, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(adders[i], NULL);
    return 0;
}
