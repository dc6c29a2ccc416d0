// norn: verified executions=2
// A condition variable ends when nobody waits any more.
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
    mutex.lock();
    done = true;
    condition->notify_all();
    mutex.unlock();
    thread.join();
    delete condition;
    return 0;
}
