// norn: expect verified -- -std=c++20
// A task is handed to a thread.
#include <cstdio>
#include <future>
#include <thread>
#include <utility>

int main() {
    std::packaged_task<int(int, int)> task([](int a, int b) { return a - b; });
    auto future = task.get_future();
    std::thread worker(std::move(task), 44, 2);
    std::printf("%d\n", future.get());
    worker.join();
}
