// norn: expect verified -- -std=c++20
// A wait for a value that is not over in time.
#include <chrono>
#include <cstdio>
#include <future>

int main() {
    std::promise<int> promise;
    auto future = promise.get_future();
    bool late = future.wait_for(std::chrono::milliseconds(1)) == std::future_status::timeout;
    promise.set_value(3);
    bool ready = future.wait_for(std::chrono::milliseconds(1)) == std::future_status::ready;
    std::printf("%d %d %d\n", late, ready, future.get());
}
