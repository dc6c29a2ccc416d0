// norn: violation assertion line=11
// A destructor of the program runs when a thread calls exit.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int x;

__attribute__((destructor)) static void end(void) {
    assert(x == 0);
}

static void *work(void *unused) {
    x = 1;
    exit(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_exit(NULL);
}
