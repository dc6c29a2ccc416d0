// norn: expect verified -- -std=c++20
// Readers and a writer.
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <thread>

int main() {
    std::shared_mutex lock;
    int one = 0, two = 0;
    std::thread writer([&] {
        std::unique_lock<std::shared_mutex> held(lock);
        one++;
        two++;
    });
    bool same;
    {
        std::shared_lock<std::shared_mutex> held(lock);
        same = one == two;
    }
    writer.join();
    std::printf("%d\n", same);
}
