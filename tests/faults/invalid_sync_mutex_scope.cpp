// norn: violation invalid_sync line=9
// A mutex ends while its thread holds it.
#include <mutex>

int main() {
    {
        std::mutex mutex;
        mutex.lock();
    }
    return 0;
}
