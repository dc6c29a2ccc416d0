// norn: verified executions=2
// The near twin of uncaught_exception.cpp that has nothing wrong.
#include <atomic>
#include <thread>

static std::atomic<int> x{0};

int main() {
    std::thread other([] { x.store(1); });
    if (x.load() == 2)
        throw 1;
    other.join();
    return 0;
}
