// norn: expect verified -- -std=c++20
// A thread waits for something smaller than the word of a futex.
#include <atomic>
#include <cstdio>
#include <thread>

int main() {
    std::atomic<bool> ready{false};
    std::thread worker([&] {
        ready = true;
        ready.notify_all();
    });
    ready.wait(false);
    worker.join();
    std::puts("done");
}
