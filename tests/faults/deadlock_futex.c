// norn: violation deadlock line=17
// A mutex of a futex that forgets to wake up who waits.
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_uint word; // 0: free, 1: held, 2: held and perhaps awaited
static int counter;

static void lock(void) {
    unsigned seen = 0;
    if (atomic_compare_exchange_strong(&word, &seen, 1)) return;
    while (atomic_exchange(&word, 2)) {
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
    }
}

static void unlock(void) {
    // What is awaited is not known after this.
    atomic_store(&word, 0);
}

static void *run(void *unused) {
    (void)unused;
    lock();
    counter++;
    unlock();
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, run, NULL);
    pthread_create(&b, NULL, run, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
