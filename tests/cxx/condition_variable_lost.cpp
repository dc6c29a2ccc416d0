// norn: expect violation deadlock -- -std=c++20
// A signal without the mutex may come between the look and the wait.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
    std::mutex mutex;
    std::condition_variable changed;
    std::atomic<int> item{0};
    std::thread producer([&] {
        item = 5;
        changed.notify_one();
    });
    {
        std::unique_lock<std::mutex> held(mutex);
        while (item == 0) changed.wait(held);
    }
    producer.join();
}
