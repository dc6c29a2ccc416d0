// norn: violation assertion line=18
// A number that is looked at byte by byte: the lowest byte comes first.
#include <assert.h>
#include <pthread.h>

union number { int whole; unsigned char bytes[4]; float real; };
static union number shared;

static void *work(void *unused) {
    shared.whole = 0x01020304;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    assert(shared.bytes[0] == 1);
    shared.bytes[3] = 9;
    assert(shared.whole == 0x09020304);
    shared.real = 1.0f;
    assert(shared.whole == 0x3f800000);
    return 0;
}
