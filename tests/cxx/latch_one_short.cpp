// norn: expect violation data_race -- -std=c++20
// One thread is not waited for.
#include <cstdio>
#include <latch>
#include <thread>

int main() {
    std::latch ready(1);
    int one = 0, two = 0;
    std::thread a([&] {
        one = 1;
        ready.count_down();
    });
    std::thread b([&] { two = 2; });
    ready.wait();
    std::printf("%d\n", one + two);
    a.join();
    b.join();
}
