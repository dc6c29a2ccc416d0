// norn: violation deadlock line=749
// An exception leaves a function that has locked a mutex by hand, and nobody gives it back.
#include <mutex>
#include <thread>

static std::mutex m;
static int shared = 0;

static void add(bool fails) {
    m.lock();
    shared++;
    if (fails)
        throw 1;
    m.unlock();
}

int main() {
    std::thread other([] { add(false); });
    try {
        add(true);
    } catch (int) {
    }
    other.join();
}
