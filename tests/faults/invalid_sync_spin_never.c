// norn: violation invalid_sync line=8
// A spin lock is used without being initialised.
#include <pthread.h>

static pthread_spinlock_t lock;

int main(void) {
    pthread_spin_lock(&lock);
    pthread_spin_unlock(&lock);
    return 0;
}
