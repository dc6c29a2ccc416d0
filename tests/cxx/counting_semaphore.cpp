// norn: expect verified -- -std=c++20
// Two items for two consumers.
#include <atomic>
#include <cassert>
#include <cstdio>
#include <semaphore>
#include <thread>

int main() {
    std::counting_semaphore<4> items(0);
    std::atomic<int> left{0};
    std::thread consumer([&] {
        items.acquire();
        assert(left.fetch_sub(1) > 0);
    });
    left = 2;
    items.release(2);
    items.acquire();
    assert(left.fetch_sub(1) > 0);
    consumer.join();
    std::printf("%d\n", left.load());
}
