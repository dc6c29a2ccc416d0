// norn: expect verified -- -std=c++20
// Who cannot have the mutex in time goes on.
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>

int main() {
    std::timed_mutex mutex;
    int data = 0;
    auto add = [&] {
        if (mutex.try_lock_for(std::chrono::milliseconds(500))) {
            data++;
            mutex.unlock();
        }
    };
    std::thread worker(add);
    worker.join();
    add();
    std::printf("%d\n", data);
}
