// norn: violation invalid_sync line=22
// A condition variable ends while a thread waits for it.
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static bool waiting, done;

int main() {
    auto *condition = new std::condition_variable;
    std::thread thread([condition] {
        std::unique_lock<std::mutex> lock(mutex);
        waiting = true;
        while (!done)
            condition->wait(lock);
    });
    for (bool ready = false; !ready;) {
        std::lock_guard<std::mutex> lock(mutex);
        ready = waiting;
    }
    delete condition;
    thread.detach();
    return 0;
}
