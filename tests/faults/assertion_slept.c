// norn: violation assertion line=11
// Who sleeps for two seconds sleeps for longer than one.
#include <assert.h>
#include <time.h>

int main(void) {
    struct timespec before, after, duration = {2, 0};
    clock_gettime(CLOCK_MONOTONIC, &before);
    nanosleep(&duration, NULL);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert(after.tv_sec - before.tv_sec < 2);
    return 0;
}
