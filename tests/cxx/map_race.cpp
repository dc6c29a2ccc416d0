// norn: expect violation data_race -- -std=c++20
// A map without a mutex.
#include <map>
#include <thread>

int main() {
    std::map<int, int> counts;
    std::thread worker([&] { counts[1] = 1; });
    counts[2] = 2;
    worker.join();
}
