// A stack whose pop looks whether there is something in one critical section and takes it in another.
//
// After `stack` of SCTBench and SV-COMP. Two threads pop; both see the one element.
//
// norn: model=sc kind=assertion bound=1
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[4], top;

static void *push(void *unused) {
    pthread_mutex_lock(&lock);
    items[top] = 1;
    top++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static int is_empty(void) {
    pthread_mutex_lock(&lock);
    int empty = top == 0;
    pthread_mutex_unlock(&lock);
    return empty;
}

static void *pop(void *unused) {
    if (!is_empty()) {
        pthread_mutex_lock(&lock);
        assert(top > 0);
        top--;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, push, NULL);
    pthread_create(&threads[1], NULL, pop, NULL);
    pthread_create(&threads[2], NULL, pop, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
