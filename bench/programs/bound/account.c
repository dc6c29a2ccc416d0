// A bank account whose withdrawal looks at the balance and takes from it in two critical sections.
//
// After the model of `account` in SCTBench. A deposit that comes in between is lost.
//
// norn: model=sc kind=assertion bound=1
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 10;

static void *deposit(void *unused) {
    pthread_mutex_lock(&lock);
    balance += 5;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *withdraw(void *unused) {
    pthread_mutex_lock(&lock);
    int seen = balance;
    pthread_mutex_unlock(&lock);
    if (seen >= 3) {
        pthread_mutex_lock(&lock);
        balance = seen - 3;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, deposit, NULL);
    pthread_create(&two, NULL, withdraw, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(balance == 12);
    return 0;
}
