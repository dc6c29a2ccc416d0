// norn: expect violation assertion -- -std=c++20
// Who observes an object may come too late.
#include <cassert>
#include <memory>
#include <thread>

int main() {
    auto node = std::make_shared<int>(5);
    std::weak_ptr<int> weak = node;
    std::thread a([&] { assert(weak.lock()); });
    node.reset();
    a.join();
}
