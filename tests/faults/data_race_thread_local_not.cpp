// norn: verified executions=1
// The near twin, without the fault.
#include <cassert>
#include <pthread.h>
#include <cstdlib>
#include <thread>

static int shared;

struct Local {
    int used = 0;
    ~Local() { shared = used; }
};

static thread_local Local local;

int main() {
    std::thread thread([] { local.used = 1; });
    thread.join();
    int result = shared;
    return result - 1;
}
