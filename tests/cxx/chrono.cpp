// norn: expect verified -- -std=c++20
// Durations and clocks.
#include <chrono>
#include <cstdio>
#include <thread>

int main() {
    using namespace std::chrono;
    auto start = steady_clock::now();
    std::this_thread::sleep_for(milliseconds(2));
    bool passed = steady_clock::now() - start >= milliseconds(2);
    std::printf("%d %ld %d\n", passed, static_cast<long>(duration_cast<seconds>(minutes(3)).count()),
                system_clock::now().time_since_epoch().count() > 0);
}
