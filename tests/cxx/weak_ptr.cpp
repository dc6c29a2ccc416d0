// norn: expect verified -- -std=c++20
// Who observes an object gets it or not.
#include <cassert>
#include <cstdio>
#include <memory>
#include <thread>

int main() {
    auto node = std::make_shared<int>(5);
    std::weak_ptr<int> weak = node;
    int seen = 0;
    std::thread a([&] {
        if (auto locked = weak.lock()) seen = *locked;
    });
    node.reset();
    a.join();
    assert(seen == 0 || seen == 5);
    std::printf("%d\n", weak.expired());
}
