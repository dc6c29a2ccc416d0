// norn: verified executions=2
// A try to lock may fail; a loop tries until it does not.
#include <mutex>

int main() {
    std::mutex mutex;
    if (!mutex.try_lock())
        mutex.lock();
    mutex.unlock();
    while (!mutex.try_lock())
        ;
    mutex.unlock();
    return 0;
}
