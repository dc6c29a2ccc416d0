// norn: expect verified -- -std=c++20
// An object is handed over.
#include <cstdio>
#include <memory>
#include <thread>
#include <utility>

int main() {
    auto box = std::make_unique<int>(3);
    int seen = 0;
    std::thread worker([own = std::move(box), &seen] { seen = *own; });
    worker.join();
    std::printf("%d %d\n", seen, box == nullptr);
}
