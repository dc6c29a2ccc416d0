// norn: expect verified -- -std=c++20
// A pool of threads, as many programs have one.
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>

class Pool {
public:
    Pool() : worker([this] { run(); }) {}
    ~Pool() {
        {
            std::lock_guard<std::mutex> held(mutex);
            closed = true;
        }
        changed.notify_all();
        worker.join();
    }
    std::future<int> submit(std::function<int()> work) {
        auto task = std::make_shared<std::packaged_task<int()>>(std::move(work));
        {
            std::lock_guard<std::mutex> held(mutex);
            tasks.push([task] { (*task)(); });
        }
        changed.notify_one();
        return task->get_future();
    }

private:
    void run() {
        for (;;) {
            std::unique_lock<std::mutex> held(mutex);
            changed.wait(held, [this] { return closed || !tasks.empty(); });
            if (tasks.empty()) return;
            auto task = std::move(tasks.front());
            tasks.pop();
            held.unlock();
            task();
        }
    }

    std::mutex mutex;
    std::condition_variable changed;
    std::queue<std::function<void()>> tasks;
    bool closed = false;
    std::thread worker;
};

int main() {
    Pool pool;
    std::printf("%d\n", pool.submit([] { return 6 * 7; }).get());
}
