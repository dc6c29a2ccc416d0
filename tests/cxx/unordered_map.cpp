// norn: expect verified -- -std=c++20
// A table behind a mutex.
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

int main() {
    std::unordered_map<std::string, int> counts;
    std::mutex mutex;
    auto add = [&](const std::string &word) {
        std::lock_guard<std::mutex> held(mutex);
        counts[word]++;
    };
    std::thread worker([&] { add("one"); });
    add("one");
    worker.join();
    std::printf("%d %zu\n", counts["one"], counts.size());
}
