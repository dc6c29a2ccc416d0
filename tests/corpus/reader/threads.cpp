#include <atomic>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>
static std::atomic<int> counter{0};
static std::atomic<long *> pointer;
static std::mutex m;
static std::shared_mutex rw;
static std::condition_variable cv;
static bool ready;
static std::once_flag once;
static thread_local int mine = 5;
struct Lazy { int v; Lazy() : v(counter.load()) {} };
int lazy() { static Lazy l; return l.v; }
void work(int n) {
    counter.fetch_add(n, std::memory_order_relaxed);
    std::call_once(once, [] { pointer = new long(3); });
    { std::shared_lock<std::shared_mutex> l(rw); mine += n; }
    std::lock_guard<std::mutex> l(m);
    ready = true;
    cv.notify_one();
}
int main() {
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++) threads.emplace_back(work, i);
    { std::unique_lock<std::mutex> l(m); cv.wait(l, [] { return ready; }); }
    for (auto &t : threads) t.join();
    int expected = 3;
    return counter.compare_exchange_strong(expected, 4) ? lazy() : 1;
}
