// norn: verified executions=4
// The near twin of assertion_exception_once.cpp that has nothing wrong.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag flag;
static std::atomic<int> calls{0};

static void run() {
    try {
        std::call_once(flag, [] {
            if (calls.fetch_add(1) == 0)
                throw 1;
        });
    } catch (int) {
    }
}

int main() {
    std::thread other(run);
    run();
    other.join();
    assert(calls.load() == 2);
}
