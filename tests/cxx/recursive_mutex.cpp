// norn: expect verified -- -std=c++20
// A mutex that its owner takes again, and two that are taken at once.
#include <cstdio>
#include <mutex>
#include <thread>

int main() {
    std::recursive_mutex again;
    std::mutex other;
    int data = 0;
    std::thread worker([&] {
        std::scoped_lock both(other, again);
        data++;
    });
    {
        std::lock_guard<std::recursive_mutex> outer(again);
        std::lock_guard<std::recursive_mutex> inner(again);
        data++;
    }
    worker.join();
    std::printf("%d\n", data);
}
