// norn: verified executions=2
// The near twin of assertion_futex_timeout.c that has nothing wrong.
#define LOOPS
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
