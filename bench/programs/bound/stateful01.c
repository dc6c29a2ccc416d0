// Two numbers under two locks; each thread changes one of them, then both again.
//
// After `stateful01` of SV-COMP: the end values are not those of every order.
//
// norn: model=sc kind=assertion bound=0
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock2 = PTHREAD_MUTEX_INITIALIZER;
static int data1 = 10, data2 = 10;

static void *add(void *unused) {
    pthread_mutex_lock(&lock1);
    data1++;
    pthread_mutex_unlock(&lock1);
    pthread_mutex_lock(&lock2);
    data2++;
    pthread_mutex_unlock(&lock2);
    return NULL;
}

static void *scale(void *unused) {
    pthread_mutex_lock(&lock1);
    data1 += 5;
    pthread_mutex_unlock(&lock1);
    pthread_mutex_lock(&lock2);
    data2 -= 6;
    pthread_mutex_unlock(&lock2);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&two, NULL, scale, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(data1 != 16 && data2 != 5);
    return 0;
}
