// Data that is written in two stages, each under its own lock; a reader comes between the stages.
//
// After `twostage` of SCTBench; 100 threads there.
//
// norn: model=sc kind=assertion bound=0
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 2
#endif

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second_lock = PTHREAD_MUTEX_INITIALIZER;
static int data1, data2;

static void *write_both(void *unused) {
    pthread_mutex_lock(&first_lock);
    data1 = 1;
    pthread_mutex_unlock(&first_lock);
    pthread_mutex_lock(&second_lock);
    data2 = data1 + 1;
    pthread_mutex_unlock(&second_lock);
    return NULL;
}

static void *read_both(void *unused) {
    pthread_mutex_lock(&first_lock);
    int seen1 = data1;
    pthread_mutex_unlock(&first_lock);
    if (seen1 == 0)
        return NULL;
    pthread_mutex_lock(&second_lock);
    int seen2 = data2;
    pthread_mutex_unlock(&second_lock);
    assert(seen2 == seen1 + 1);
    return NULL;
}

int main(void) {
    pthread_t writers[N], reader;
    for (int i = 0; i < N; i++)
        pthread_create(&writers[i], NULL, write_both, NULL);
    pthread_create(&reader, NULL, read_both, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(writers[i], NULL);
    pthread_join(reader, NULL);
    return 0;
}
