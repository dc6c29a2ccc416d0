// norn: expect verified -- -std=c++20
// A wait that nobody ends.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>

int main() {
    std::mutex mutex;
    std::condition_variable changed;
    std::unique_lock<std::mutex> held(mutex);
    bool came = changed.wait_for(held, std::chrono::milliseconds(1), [] { return false; });
    std::printf("%d\n", came);
}
