// norn: violation deadlock line=9
// A thread waits for its own end.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int main(void) {
    pthread_join(pthread_self(), NULL);
    return 0;
}
