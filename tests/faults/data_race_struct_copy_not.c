// norn: verified executions=1
// A structure that a thread copies whole before another one reads a member.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct record { int a, b; void *next; };
static struct record *from, *to;

static void *work(void *unused) {
    *to = *from;
    return unused;
}

int main(void) {
    pthread_t thread;
    from = malloc(sizeof *from);
    to = malloc(sizeof *to);
    from->a = 1;
    from->b = 2;
    from->next = to;
    to->b = 3;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    assert(to->b != 1);
    free(from);
    free(to);
    return 0;
}
