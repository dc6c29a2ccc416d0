// norn: verified executions=1
// A structure whose members another thread wrote one by one, passed by value in one piece.
#include <assert.h>
#include <pthread.h>

struct pair { int a, b; };
static struct pair shared;

static int second(struct pair pair) {
    return pair.b;
}

static void *work(void *unused) {
    shared.a = 7;
    shared.b = 8;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    assert(second(shared) == 8);
    return 0;
}
