// norn: expect verified -- -std=c++20
// A queue between two threads.
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <thread>

int main() {
    std::deque<int> queue;
    std::mutex mutex;
    std::condition_variable changed;
    std::thread producer([&] {
        for (int i = 1; i <= 2; i++) {
            std::lock_guard<std::mutex> held(mutex);
            queue.push_back(i);
            changed.notify_one();
        }
    });
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        std::unique_lock<std::mutex> held(mutex);
        changed.wait(held, [&] { return !queue.empty(); });
        sum = sum * 10 + queue.front();
        queue.pop_front();
    }
    producer.join();
    std::printf("%d\n", sum);
}
