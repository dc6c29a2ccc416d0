// norn: violation assertion line=22
// A wait may return without a signal.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable condition;
static bool ready;

int main() {
    std::thread thread([] {
        std::lock_guard<std::mutex> guard(mutex);
        ready = true;
        condition.notify_one();
    });
    {
        std::unique_lock<std::mutex> lock(mutex);
        if (!ready)
            condition.wait(lock);
        assert(ready);
    }
    thread.join();
}
