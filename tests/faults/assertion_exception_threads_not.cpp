// norn: verified executions=3
// The near twin of assertion_exception_threads.cpp that has nothing wrong.
#include <atomic>
#include <cassert>
#include <exception>
#include <thread>

static std::atomic<int> caught{0};

struct Counts {
    ~Counts() { assert(std::uncaught_exceptions() == 1); }
};

static void run(int number) {
    try {
        Counts counts;
        throw number;
    } catch (int own) {
        assert(own == number);
        caught.fetch_add(own);
    }
}

int main() {
    std::thread other([] { run(1); });
    run(2);
    assert(caught.load() >= 2);
    other.join();
    assert(caught.load() == 3);
}
