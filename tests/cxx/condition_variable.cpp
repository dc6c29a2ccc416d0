// norn: expect verified -- -std=c++20
// A queue of one.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

int main() {
    std::mutex mutex;
    std::condition_variable changed;
    int item = 0;
    std::thread producer([&] {
        std::lock_guard<std::mutex> held(mutex);
        item = 5;
        changed.notify_one();
    });
    {
        std::unique_lock<std::mutex> held(mutex);
        changed.wait(held, [&] { return item != 0; });
        std::printf("%d\n", item);
    }
    producer.join();
}
