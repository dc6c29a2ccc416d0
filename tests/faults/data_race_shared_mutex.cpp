// norn: violation data_race line=21
// Readers of a std::shared_timed_mutex are not ordered with each other.
#include <cassert>
#include <atomic>
#include <shared_mutex>
#include <thread>

static std::shared_timed_mutex lock;
static int x;
static std::atomic<int> flag;

int main() {
    std::thread thread([] {
        lock.lock_shared();
        x = 1;
        lock.unlock_shared();
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
