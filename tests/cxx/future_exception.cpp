// norn: expect verified -- -std=c++20
// An exception goes through a promise.
#include <cstdio>
#include <future>
#include <stdexcept>
#include <thread>

int main() {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread worker([&] { promise.set_exception(std::make_exception_ptr(std::runtime_error("no value"))); });
    try {
        std::printf("%d\n", future.get());
    } catch (const std::runtime_error &error) {
        std::printf("%s\n", error.what());
    }
    worker.join();
}
