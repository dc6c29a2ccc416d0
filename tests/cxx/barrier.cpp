// norn: expect verified -- -std=c++20
// Two threads meet.
#include <barrier>
#include <cassert>
#include <cstdio>
#include <thread>

int main() {
    int completed = 0;
    auto done = [&]() noexcept { completed++; };
    std::barrier meet(2, done);
    int one = 0, two = 0;
    std::thread a([&] {
        one = 1;
        meet.arrive_and_wait();
        assert(two == 2);
    });
    two = 2;
    meet.arrive_and_wait();
    assert(one == 1);
    a.join();
    std::printf("%d\n", completed);
}
