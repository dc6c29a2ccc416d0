// norn: violation assertion line=11
// Global objects are destroyed when a thread calls exit.
#include <cassert>
#include <pthread.h>
#include <cstdlib>
#include <thread>

static int x;

struct Global {
    ~Global() { assert(x == 0); }
};

static Global global;

int main() {
    std::thread thread([] {
        x = 1;
        std::exit(0);
    });
    thread.join();
}
