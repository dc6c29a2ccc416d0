// norn: violation assertion line=8
// A try to lock may fail although the mutex is free.
#include <cassert>
#include <mutex>

int main() {
    std::mutex mutex;
    assert(mutex.try_lock());
    mutex.unlock();
    return 0;
}
