// norn: verified executions=3
// The near twin, without the fault.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <chrono>

static std::mutex mutex;
static std::condition_variable condition;
static bool ready;

int main() {
    std::thread thread([] {
        std::lock_guard<std::mutex> guard(mutex);
        ready = true;
    });
    {
        std::unique_lock<std::mutex> lock(mutex);
        bool in_time = condition.wait_for(lock, std::chrono::seconds(1), [] { return ready; });
        assert(in_time == ready);
    }
    thread.join();
}
