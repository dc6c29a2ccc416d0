// norn: violation uncaught_exception line=12
// A handler in main does not help a thread: what it throws ends the program.
#include <atomic>
#include <thread>

static std::atomic<int> x{0};

int main() {
    try {
        std::thread other([] {
            if (x.load() == 1)
                throw 1;
        });
        x.store(1);
        other.join();
    } catch (int) {
    }
}
