// norn: expect verified -- -std=c++20
// Threads work on parts of a vector.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <thread>
#include <vector>

int main() {
    std::vector<int> numbers(6);
    std::vector<std::thread> workers;
    for (int part = 0; part < 2; part++) {
        workers.emplace_back([&numbers, part] {
            for (int i = 0; i < 3; i++) numbers[part * 3 + i] = 10 - part * 3 - i;
        });
    }
    for (auto &worker : workers) worker.join();
    std::sort(numbers.begin(), numbers.end());
    std::printf("%d %d\n", numbers[0], std::accumulate(numbers.begin(), numbers.end(), 0));
}
