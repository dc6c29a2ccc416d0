// Loops, each with what is recognised of it: the finding, the reasons that stand against it, and
// `~` before those of which only the machine can tell. Only `norn transform` looks at this file.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

struct node {
    struct node *next;
    atomic_int ready;
};

atomic_int lock, next, owner, flag, x, y;
atomic_uint word;
struct node *_Atomic top;
struct node slots[4];
int plain;
void (*handler)(void);

static void test_and_set(void) {
    while (atomic_exchange(&lock, 1)) // loop: await
        ;
}

static void test_and_test_and_set(void) {
    do {                         // the outer loop starts with the inner one
        while (atomic_load(&lock)) // loop: await loop: await
            ;
    } while (atomic_exchange(&lock, 1));
}

static void ticket(void) {
    int mine = atomic_fetch_add(&next, 1);
    while (atomic_load(&owner) != mine) // loop: await
        ;
}

static void increment(void) {
    int old = atomic_load(&x);
    while (!atomic_compare_exchange_strong(&x, &old, old + 1)) // loop: refused changes
        ;
}

static void increment_anew(void) {
    int old;
    do {
        old = atomic_load(&x); // loop: await
    } while (!atomic_compare_exchange_strong(&x, &old, old + 1));
}

static void wait_for(struct node *node) {
    while (!atomic_load_explicit(&node->ready, memory_order_acquire)) // loop: await
        ;
}

static void wait_for_slot(int i) {
    while (!atomic_load(&slots[i].ready)) // loop: await
        sched_yield();
}

static void wait_for_bit(void) {
    while (atomic_load(&word) & 4) // loop: await
        ;
}

static void with_a_store(void) {
    while (!atomic_load(&flag)) // loop: refused writes
        atomic_store(&y, 1);
}

static int is_free(void) {
    return atomic_load(&lock) == 0;
}

static void with_a_silent_call(void) {
    while (!is_free()) // loop: await
        ;
}

static int try_lock(void) {
    int expected = 0;
    return atomic_compare_exchange_strong(&lock, &expected, 1);
}

static void with_a_call(void) {
    while (!try_lock()) // loop: open ~calls
        ;
}

static void with_calls_of_others(pthread_mutex_t *mutex) {
    for (;;) {
        pthread_mutex_lock(mutex); // loop: open ~runtime ~runtime ~calls_pointer
        int done = plain;
        pthread_mutex_unlock(mutex);
        if (done)
            return;
        handler();
    }
}

static void push(struct node *node) {
    struct node *old;
    do {
        old = atomic_load(&top); // loop: open ~writes
        node->next = old;
    } while (!atomic_compare_exchange_strong(&top, &old, node));
}

static void on_some_ways(void) {
    for (;;) {
        int value = atomic_load(&x); // loop: assume writes
        if (value == 1)
            return;
        if (value == 2)
            atomic_store(&y, 1);
    }
}

static void nested(void) {
    for (int i = 0; i < 3; i++)    // loop: refused changes
        while (!atomic_load(&flag)) // loop: await
            ;
}

static void counted_retry(void) {
    int tries = 0;
    while (!try_lock()) // loop: refused changes
        tries++;
    atomic_store(&y, tries);
}

static void counted_load(void) {
    for (int i = 0; i < 3 && !atomic_load(&flag); i++) // loop: refused changes
        ;
}

static void that_may_fault(int divided) {
    while (divided / atomic_load(&x) == 2) // loop: assume
        ;
}

static void that_may_race(void) {
    while (!plain) // loop: await
        ;
}

static int recursion(int n) {
    return n == 0 ? 0 : recursion(n - 1);
}

static void with_an_update(void) {
    while (!atomic_load(&flag)) // loop: refused writes
        atomic_fetch_add(&y, 1);
}

void never_called(int n) {
    if (n)
        atomic_store(&x, n);
}

int main(void) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    struct node node = {0};
    test_and_set();
    test_and_test_and_set();
    ticket();
    increment();
    increment_anew();
    wait_for(&node);
    wait_for_slot(1);
    wait_for_bit();
    with_a_store();
    with_a_silent_call();
    with_a_call();
    with_calls_of_others(&mutex);
    push(&node);
    on_some_ways();
    nested();
    counted_retry();
    counted_load();
    that_may_fault(3);
    that_may_race();
    with_an_update();
    return recursion(3);
}
