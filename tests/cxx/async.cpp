// norn: expect verified -- -std=c++20
// Two functions run at the same time.
#include <cstdio>
#include <future>

static int square(int x) { return x * x; }

int main() {
    auto one = std::async(std::launch::async, square, 3);
    auto two = std::async(std::launch::async, square, 4);
    std::printf("%d\n", one.get() + two.get());
}
