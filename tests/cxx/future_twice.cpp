// norn: expect verified -- -std=c++20
// A value can be set once, and a future be had once.
#include <cstdio>
#include <future>

int main() {
    std::promise<void> promise;
    auto future = promise.get_future();
    try {
        promise.get_future();
    } catch (const std::future_error &error) {
        std::puts(error.what());
    }
    promise.set_value();
    try {
        promise.set_value();
    } catch (const std::future_error &error) {
        std::puts(error.what());
    }
    future.get();
}
