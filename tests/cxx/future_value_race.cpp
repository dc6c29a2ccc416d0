// norn: expect violation data_race -- -std=c++20
// What is written after the value is set races with who has got it.
#include <cstdio>
#include <future>
#include <thread>

int main() {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    int data = 0;
    std::thread worker([&] {
        promise.set_value(42);
        data = 1;
    });
    int value = future.get();
    std::printf("%d %d\n", value, data);
    worker.join();
}
