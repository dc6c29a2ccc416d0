// norn: expect verified -- -std=c++20
// Each thread has a copy of a text.
#include <cstdio>
#include <string>
#include <thread>

int main() {
    const std::string name("a name that is not short enough to be kept in place");
    std::size_t one = 0;
    std::thread worker([own = std::string(name), &one]() mutable {
        own += "!";
        one = own.size();
    });
    std::string copy = name;
    copy.clear();
    worker.join();
    std::printf("%zu %zu %zu\n", name.size(), copy.size(), one);
}
