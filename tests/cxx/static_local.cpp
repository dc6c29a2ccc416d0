// norn: expect verified -- -std=c++20
// A static variable is made once, by whoever comes first.
#include <cstdio>
#include <string>
#include <thread>

static const std::string &name() {
    static const std::string made("a name that is not short enough to be kept in place");
    return made;
}

int main() {
    std::thread worker([] { (void)name().size(); });
    std::size_t size = name().size();
    worker.join();
    std::printf("%zu\n", size);
}
