// norn: expect violation data_race -- -std=c++20
// Two functions that run at the same time share a counter.
#include <cstdio>
#include <future>

static int calls;
static int square(int x) {
    calls++;
    return x * x;
}

int main() {
    auto one = std::async(std::launch::async, square, 3);
    auto two = std::async(std::launch::async, square, 4);
    std::printf("%d\n", one.get() + two.get());
}
