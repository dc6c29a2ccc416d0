// norn: expect violation data_race -- -std=c++20
// An atomic shared_ptr. GNU's library (12) gives its lock back relaxed after a load: a bug of the library.
#include <atomic>
#include <cstdio>
#include <memory>
#include <thread>

int main() {
    std::atomic<std::shared_ptr<int>> shared(std::make_shared<int>(1));
    std::thread a([&] { shared.store(std::make_shared<int>(2)); });
    int seen = *shared.load();
    a.join();
    std::printf("%d %d\n", seen == 1 || seen == 2, *shared.load());
}
