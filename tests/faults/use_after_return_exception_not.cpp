// norn: verified executions=2
// The near twin of use_after_return_exception.cpp that has nothing wrong: the thread is joined on the way out.
#include <atomic>
#include <thread>

static std::atomic<std::atomic<int> *> shared{nullptr};

struct Joins {
    std::thread &thread;
    ~Joins() { thread.join(); }
};

static void leave(std::thread &other) {
    std::atomic<int> local{1};
    Joins joins{other};
    shared.store(&local);
    throw 1;
}

int main() {
    std::thread other([] {
        if (std::atomic<int> *found = shared.load())
            found->store(2);
    });
    try {
        leave(other);
    } catch (int) {
    }
}
