// norn: expect verified -- -std=c++20
// A deferred function runs where its value is asked for.
#include <cstdio>
#include <future>
#include <thread>

int main() {
    auto id = std::async(std::launch::deferred, [] { return std::this_thread::get_id(); });
    std::printf("%d\n", id.get() == std::this_thread::get_id());
}
