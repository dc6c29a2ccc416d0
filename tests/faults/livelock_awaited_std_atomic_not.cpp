// norn: verified executions=1
#include <atomic>
#include <norn.h>
#include <thread>

static std::atomic<int> ready;
static std::atomic<int *> shared;
static int plain, value;

int main() {
    std::thread writer([] {
        value = 1;
        shared.store(&value);
        __atomic_store_n(&plain, 2, __ATOMIC_RELEASE);
        ready.store(3);
    });
    norn_await_ne(&shared, nullptr);
    norn_await_eq(&plain, 2);
    norn_await_eq(&ready, 3);
    writer.join();
    return *shared.load() - 1;
}
