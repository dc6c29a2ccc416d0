// norn: expect violation data_race -- -std=c++20
// A writer that only locks as a reader.
#include <mutex>
#include <shared_mutex>
#include <thread>

int main() {
    std::shared_mutex lock;
    int data = 0;
    auto change = [&] {
        std::shared_lock<std::shared_mutex> held(lock);
        data++;
    };
    std::thread writer(change);
    change();
    writer.join();
}
