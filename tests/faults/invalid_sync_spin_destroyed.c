// norn: violation invalid_sync line=10
// A spin lock is used after it was destroyed.
#include <pthread.h>

static pthread_spinlock_t lock;

int main(void) {
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_destroy(&lock);
    pthread_spin_lock(&lock);
    pthread_spin_unlock(&lock);
    return 0;
}
