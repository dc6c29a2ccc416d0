// norn: verified executions=2
// The near twin of uncaught_exception_thread.cpp that has nothing wrong: the thread catches what it throws.
#include <atomic>
#include <thread>

static std::atomic<int> x{0};

int main() {
    std::thread other([] {
        try {
            if (x.load() == 1)
                throw 1;
        } catch (int) {
        }
    });
    x.store(1);
    other.join();
}
