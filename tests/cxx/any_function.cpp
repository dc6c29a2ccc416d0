// norn: expect verified -- -std=c++20
// Values of any type, and functions of any kind.
#include <any>
#include <cstdio>
#include <functional>
#include <string>
#include <thread>

int main() {
    std::any value = 5;
    std::printf("%d ", std::any_cast<int>(value));
    value = std::string("a text that is not short enough to be kept in place");
    std::printf("%zu %d ", std::any_cast<std::string &>(value).size(), std::any_cast<int>(&value) == nullptr);
    std::function<int(int)> twice = [](int x) { return 2 * x; };
    std::function<int(int)> bound = std::bind(twice, 21);
    int result = 0;
    std::thread worker([&] { result = bound(0); });
    worker.join();
    std::printf("%d ", result);
    try {
        std::any_cast<int>(value);
    } catch (const std::bad_any_cast &error) {
        std::printf("%s\n", error.what());
    }
}
