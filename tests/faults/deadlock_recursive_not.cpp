// norn: verified executions=2
// The near twin, without the fault.
#include <cassert>
#include <mutex>
#include <thread>

struct Counter {
    std::recursive_mutex mutex;
    int count = 0;
    void add() {
        std::lock_guard<std::recursive_mutex> guard(mutex);
        count++;
    }
    void add_twice() {
        std::lock_guard<std::recursive_mutex> guard(mutex);
        add();
        add();
    }
};

int main() {
    Counter counter;
    std::thread thread([&] { counter.add_twice(); });
    counter.add();
    thread.join();
    assert(counter.count == 3);
}
