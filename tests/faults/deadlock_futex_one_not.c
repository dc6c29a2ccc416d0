// norn: verified executions=5
// The near twin of deadlock_futex_one.c that has nothing wrong.
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#define WOKEN INT_MAX

static atomic_uint word;

static void *waiter(void *unused) {
    (void)unused;
    while (!atomic_load(&word))
        syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 0, NULL, NULL, FUTEX_BITSET_MATCH_ANY);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    atomic_store(&word, 1);
    syscall(SYS_futex, &word, FUTEX_WAKE, WOKEN);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
