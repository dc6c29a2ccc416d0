// norn: verified executions=2
// The near twin of deadlock_exception_lock.cpp that has nothing wrong: the guard unlocks the mutex on the way out.
#include <mutex>
#include <thread>

static std::mutex m;
static int shared = 0;

static void add(bool fails) {
    std::lock_guard<std::mutex> guard(m);
    shared++;
    if (fails)
        throw 1;
}

int main() {
    std::thread other([] { add(false); });
    try {
        add(true);
    } catch (int) {
    }
    other.join();
}
