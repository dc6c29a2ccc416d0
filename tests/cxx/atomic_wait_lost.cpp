// norn: expect violation deadlock -- -std=c++20
// Nobody says that the number has changed.
#include <atomic>
#include <thread>

int main() {
    std::atomic<int> ready{0};
    std::thread worker([&] { ready.store(1); });
    ready.wait(0);
    worker.join();
}
