// norn: expect verified -- -std=c++20
// A promise that is given up tells who waits.
#include <cstdio>
#include <future>
#include <thread>
#include <utility>

int main() {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread worker([own = std::move(promise)] {});
    try {
        future.get();
    } catch (const std::future_error &error) {
        std::printf("%s %d\n", error.what(), error.code() == std::future_errc::broken_promise);
    }
    worker.join();
}
