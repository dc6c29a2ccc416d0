// norn: violation data_race line=12
// The destructor of a thread-local object runs in its thread, beside main.
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
    int result = shared;
    thread.join();
    return result;
}
