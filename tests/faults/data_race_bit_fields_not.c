// norn: verified executions=1
// A bit-field and the member behind it are two memory locations.
#include <pthread.h>

struct flags { unsigned one : 4; unsigned two : 12; unsigned char other; };
static union { struct flags flags; unsigned whole; } shared;

static void *work(void *unused) {
    shared.flags.one = 3;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    shared.flags.other = 5;
    pthread_join(thread, NULL);
    return shared.whole == (3 | 5 << 16) ? 0 : 1;
}
