// norn: violation assertion line=23
// A structure whose members another thread wrote one by one, passed by value in one piece; the wrong member.
#include <assert.h>
#include <pthread.h>

struct pair { int a, b; };
static struct pair shared;

static int first(struct pair pair) {
    return pair.a;
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
    assert(first(shared) == 8);
    return 0;
}
