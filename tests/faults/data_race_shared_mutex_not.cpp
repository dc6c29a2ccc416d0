// norn: verified executions=2
// The near twin, without the fault.
#include <cassert>
#include <atomic>
#include <shared_mutex>
#include <thread>

static std::shared_timed_mutex lock;
static int x;
static std::atomic<int> flag;

int main() {
    std::thread thread([] {
        lock.lock();
        x = 1;
        lock.unlock();
        flag.store(1, std::memory_order_relaxed);
    });
    if (flag.load(std::memory_order_relaxed)) {
        lock.lock_shared();
        int read = x;
        lock.unlock_shared();
        assert(read == 1);
    }
    thread.join();
}
