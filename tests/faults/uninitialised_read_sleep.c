// norn: violation uninitialised_read line=8
// Sleeps for a time of which only the seconds are set.
#include <time.h>

int main(void) {
    struct timespec duration;
    duration.tv_sec = 1;
    nanosleep(&duration, NULL);
    return 0;
}
