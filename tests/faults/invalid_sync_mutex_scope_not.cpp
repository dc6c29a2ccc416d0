// norn: verified executions=1
// A mutex is given back before it ends.
#include <mutex>

int main() {
    {
        std::mutex mutex;
        mutex.lock();
        mutex.unlock();
    }
    return 0;
}
