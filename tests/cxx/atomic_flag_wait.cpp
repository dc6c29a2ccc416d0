// norn: expect verified -- -std=c++20
// A thread waits for a flag.
#include <atomic>
#include <cstdio>
#include <thread>

int main() {
    std::atomic_flag flag;
    std::thread worker([&] {
        flag.test_and_set();
        flag.notify_one();
    });
    flag.wait(false);
    worker.join();
    std::printf("%d\n", flag.test());
}
