// norn: verified executions=1
// A thread gives its mutex back.
#include <mutex>
#include <thread>

static std::mutex mutex;

int main() {
    std::thread thread([] { std::lock_guard<std::mutex> lock(mutex); });
    thread.join();
    return 0;
}
