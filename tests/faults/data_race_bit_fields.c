// norn: violation data_race line=9
// Two bit-fields that share bytes are one memory location.
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
    shared.flags.two = 5;
    pthread_join(thread, NULL);
    return shared.whole == (3 | 5 << 4) ? 0 : 1;
}
