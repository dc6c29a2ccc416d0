// norn: violation uncaught_exception line=11
// An exception that nobody catches.
#include <atomic>
#include <thread>

static std::atomic<int> x{0};

int main() {
    std::thread other([] { x.store(1); });
    if (x.load() == 1)
        throw 1;
    other.join();
    return 0;
}
