// norn: verified executions=1
// Sleeps for a time.
#include <time.h>

int main(void) {
    struct timespec duration;
    duration.tv_sec = 1;
    duration.tv_nsec = 0;
    nanosleep(&duration, NULL);
    return 0;
}
