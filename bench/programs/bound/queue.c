// A queue in an array whose consumer trusts a count that it read before it took the lock.
//
// After the model of `queue` in SCTBench.
//
// norn: model=sc kind=assertion bound=1
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[N], head, tail, amount;

static void *enqueue(void *unused) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        items[tail++] = i + 1;
        amount++;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *dequeue(void *unused) {
    int available = amount;
    if (available > 0) {
        pthread_mutex_lock(&lock);
        assert(head < tail);
        int item = items[head++];
        assert(item == head);
        amount--;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, enqueue, NULL);
    pthread_create(&threads[1], NULL, dequeue, NULL);
    pthread_create(&threads[2], NULL, dequeue, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
