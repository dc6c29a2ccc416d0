// norn: verified executions=1
// What an assertion says is the program's text, also where it looks like a name of Norn's or of the library's.
#include <assert.h>
#include <pthread.h>

static struct { int __data; } s;

static void *worker(void *unused) {
    int T1 = 4;
    s.__data = 1;
    assert(s.__data + T1 == 5 && "T1 of s.__data");
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    return 0;
}
