// norn: expect violation deadlock -- -std=c++20
// Nobody sets the value.
#include <future>
#include <thread>

int main() {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread worker([&] { future.wait(); });
    worker.join();
    promise.set_value(1);
}
