// norn: expect verified -- -std=c++20
// A thread waits for a number to change.
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

int main() {
    std::atomic<int> ready{0};
    int data = 0;
    std::thread worker([&] {
        data = 1;
        ready.store(1, std::memory_order_release);
        ready.notify_one();
    });
    ready.wait(0, std::memory_order_acquire);
    assert(data == 1);
    worker.join();
    std::printf("%d\n", data);
}
