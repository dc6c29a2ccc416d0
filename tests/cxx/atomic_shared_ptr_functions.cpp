// norn: expect verified -- -std=c++20
// Atomic operations on a shared_ptr, as before C++20.
#include <cstdio>
#include <memory>
#include <thread>

int main() {
    std::shared_ptr<int> shared = std::make_shared<int>(1);
    std::thread a([&] { std::atomic_store(&shared, std::make_shared<int>(2)); });
    int seen = *std::atomic_load(&shared);
    a.join();
    std::printf("%d %d\n", seen == 1 || seen == 2, *shared);
}
