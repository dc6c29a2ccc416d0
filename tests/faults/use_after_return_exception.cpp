// norn: violation use_after_return line=17
// A local variable ends with the function that an exception leaves, and another thread still has its address.
#include <atomic>
#include <thread>

static std::atomic<std::atomic<int> *> shared{nullptr};

static void leave() {
    std::atomic<int> local{1};
    shared.store(&local);
    throw 1;
}

int main() {
    std::thread other([] {
        if (std::atomic<int> *found = shared.load())
            found->store(2);
    });
    try {
        leave();
    } catch (int) {
    }
    other.join();
}
