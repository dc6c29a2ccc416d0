// norn: verified executions=3
// norn-options: model=tso
// A ticket lock in the halves of a word.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

// The lower half counts who came, the upper one who left.
static union {
    _Atomic unsigned whole;
    _Atomic unsigned short half[2];
} lock;
static int counter;

static void *work(void *unused) {
    unsigned short ticket = (unsigned short)atomic_fetch_add(&lock.whole, 1);
    while (atomic_load(&lock.half[1]) != ticket);
    counter = counter + 1;
    atomic_store(&lock.half[1], ticket + 1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
