// norn: expect verified -- -std=c++20
// Two threads wait for one value.
#include <cstdio>
#include <future>
#include <thread>

int main() {
    std::promise<int> promise;
    std::shared_future<int> shared = promise.get_future().share();
    int one = 0, two = 0;
    std::thread a([&, shared] { one = shared.get(); });
    std::thread b([&, shared] { two = shared.get(); });
    promise.set_value(7);
    a.join();
    b.join();
    std::printf("%d %d\n", one, two);
}
