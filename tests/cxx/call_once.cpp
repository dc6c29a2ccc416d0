// norn: expect verified -- -std=c++20
// Something is made once, by whoever comes first.
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>

int main() {
    std::once_flag flag;
    int made = 0;
    auto make = [&] {
        std::call_once(flag, [&] { made++; });
        assert(made == 1);
    };
    std::thread worker(make);
    make();
    worker.join();
    std::printf("%d\n", made);
}
