// norn: expect violation data_race -- -std=c++20
// Two threads use one and the same pointer.
#include <memory>
#include <thread>

int main() {
    auto node = std::make_shared<int>(1);
    std::thread a([&node] { node = std::make_shared<int>(2); });
    std::shared_ptr<int> copy = node;
    a.join();
}
