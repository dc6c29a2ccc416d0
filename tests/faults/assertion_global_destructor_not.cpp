// norn: verified executions=1 warning=memory_leak:142
// The near twin, without the fault.
#include <cassert>
#include <pthread.h>
#include <cstdlib>
#include <thread>

static int x;

struct Global {
    ~Global() { assert(x == 1); }
};

static Global global;

int main() {
    std::thread thread([] {
        x = 1;
        std::exit(0);
    });
    thread.join();
}
