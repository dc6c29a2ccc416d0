// norn: expect verified -- -std=c++20
// Readers and writers that wait for a while.
#include <chrono>
#include <cstdio>
#include <shared_mutex>

int main() {
    std::shared_timed_mutex mutex;
    bool first = mutex.try_lock_shared_for(std::chrono::milliseconds(1));
    bool second = mutex.try_lock_shared_for(std::chrono::milliseconds(1));
    bool third = mutex.try_lock_for(std::chrono::milliseconds(1));
    mutex.unlock_shared();
    mutex.unlock_shared();
    bool fourth = mutex.try_lock_until(std::chrono::steady_clock::now() + std::chrono::milliseconds(1));
    mutex.unlock();
    std::printf("%d%d%d%d\n", first, second, third, fourth);
}
