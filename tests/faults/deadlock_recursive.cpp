// norn: violation deadlock line=749
// A std::mutex is locked twice; a std::recursive_mutex may be.
#include <cassert>
#include <mutex>
#include <thread>

struct Counter {
    std::mutex mutex;
    int count = 0;
    void add() {
        std::lock_guard<std::mutex> guard(mutex);
        count++;
    }
    void add_twice() {
        std::lock_guard<std::mutex> guard(mutex);
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
