// norn: expect verified -- -std=c++20
// Two threads have to be ready.
#include <cassert>
#include <cstdio>
#include <latch>
#include <thread>

int main() {
    std::latch ready(2);
    int one = 0, two = 0;
    std::thread a([&] {
        one = 1;
        ready.count_down();
    });
    std::thread b([&] {
        two = 2;
        ready.count_down();
    });
    ready.wait();
    assert(one + two == 3);
    a.join();
    b.join();
    std::printf("%d\n", one + two);
}
