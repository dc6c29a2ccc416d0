// norn: verified executions=2
// The near twin of deadlock_futex_lost.c that has nothing wrong.
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_uint word, ready;

static void *waiter(void *unused) {
    (void)unused;
    while (!atomic_load(&ready)) syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    atomic_store(&ready, 1);
    atomic_store(&word, 1);
    syscall(SYS_futex, &word, FUTEX_WAKE, 1);
    pthread_join(thread, NULL);
    return 0;
}
