// A lock-free stack (Treiber, "Systems Programming: Coping with Parallelism", 1986). POPPERS threads pop once,
// PUSHERS threads push once, BOTH threads push and then pop. Nothing is freed.
//
// norn: model=sc executions=48 blocked=22 stale=9
// norn: model=sc algorithm=await executions=48 blocked=22
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef PUSHERS
#define PUSHERS 1
#endif
#ifndef POPPERS
#define POPPERS 1
#endif
#ifndef BOTH
#define BOTH 1
#endif
#define THREADS (PUSHERS + POPPERS + BOTH)

struct node {
    int value;
    struct node *next;
};

static struct node nodes[THREADS];
static struct node *_Atomic top;

static void push(int thread) {
    struct node *node = &nodes[thread];
    node->value = thread + 1;
    for (;;) {
        struct node *seen = atomic_load(&top);
        node->next = seen;
        if (atomic_compare_exchange_strong(&top, &seen, node))
            return;
    }
}

static int pop(void) {
    for (;;) {
        struct node *seen = atomic_load(&top);
        if (!seen)
            return 0;
        if (atomic_compare_exchange_strong(&top, &seen, seen->next))
            return seen->value;
    }
}

static void *pusher(void *thread) {
    push((int)(long)thread);
    return NULL;
}

static void *popper(void *unused) {
    pop();
    return NULL;
}

static void *both(void *thread) {
    push((int)(long)thread);
    int popped = pop();
    assert(popped || POPPERS);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++) {
        void *(*work)(void *) = i < POPPERS ? popper : i < POPPERS + PUSHERS ? pusher : both;
        pthread_create(&threads[i], NULL, work, (void *)i);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
