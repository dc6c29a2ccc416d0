// norn: expect verified -- -std=c++20
// A value goes through a promise.
#include <cassert>
#include <cstdio>
#include <future>
#include <thread>

int main() {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    int data = 0;
    std::thread worker([&] {
        data = 1;
        promise.set_value(42);
    });
    int value = future.get();
    assert(value == 42 && data == 1);
    worker.join();
    std::printf("%d %d\n", value, data);
}
