// norn: expect verified -- -std=c++20
// A condition variable for any lock.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <thread>

int main() {
    std::shared_mutex mutex;
    std::condition_variable_any changed;
    int item = 0;
    std::thread producer([&] {
        {
            std::unique_lock<std::shared_mutex> held(mutex);
            item = 5;
        }
        changed.notify_one();
    });
    {
        std::shared_lock<std::shared_mutex> held(mutex);
        changed.wait(held, [&] { return item != 0; });
        std::printf("%d\n", item);
    }
    producer.join();
}
