// norn: expect verified -- -std=c++20
// Random numbers are the same in each execution.
#include <cstdio>
#include <random>

int main() {
    std::random_device device;
    std::mt19937 engine(5489);
    std::uniform_int_distribution<int> dice(1, 6);
    int throwing = dice(engine);
    device();
    std::mt19937 fresh;
    fresh.discard(9);
    std::printf("%u %d\n", static_cast<unsigned>(fresh()), throwing >= 1 && throwing <= 6);
}
