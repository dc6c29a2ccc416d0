// norn: violation invalid_sync
// A thread ends while it holds a mutex.
#include <mutex>
#include <thread>

static std::mutex mutex;

int main() {
    std::thread thread([] { mutex.lock(); });
    thread.join();
    return 0;
}
