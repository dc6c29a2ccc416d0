// norn: expect verified -- -std=c++20
// A map behind a mutex.
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <thread>

int main() {
    std::map<std::string, int> counts;
    std::mutex mutex;
    auto add = [&](const char *word, int count) {
        std::lock_guard<std::mutex> held(mutex);
        counts[word] += count;
    };
    std::thread worker([&] {
        add("pear", 1);
        add("apple", 2);
    });
    add("pear", 3);
    worker.join();
    for (const auto &[word, count] : counts) std::printf("%s %d\n", word.c_str(), count);
}
