// norn: expect violation assertion -- -std=c++20
// Two places are one too many.
#include <cassert>
#include <atomic>
#include <semaphore>
#include <thread>

int main() {
    std::counting_semaphore<2> places(2);
    std::atomic<int> inside{0};
    auto enter = [&] {
        places.acquire();
        assert(inside.fetch_add(1) == 0);
        inside.fetch_sub(1);
        places.release();
    };
    std::thread a(enter);
    enter();
    a.join();
}
