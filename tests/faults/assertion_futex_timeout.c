// norn: violation assertion line=22
// A timed wait at a futex may be over before anything has changed.
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_uint word;

static void *waiter(void *unused) {
    (void)unused;
    struct timespec soon = {0, 1000};
#ifdef LOOPS
    while (!atomic_load(&word)) syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &soon);
#else
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &soon);
#endif
    assert(atomic_load(&word) == 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    atomic_store(&word, 1);
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1);
    pthread_join(thread, NULL);
    return 0;
}
