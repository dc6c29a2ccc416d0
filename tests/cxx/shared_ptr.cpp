// norn: expect verified -- -std=c++20
// The last owner frees the object.
#include <cstdio>
#include <memory>
#include <thread>

struct Node {
    int value = 5;
    ~Node() { std::puts("gone"); }
};

int main() {
    auto node = std::make_shared<Node>();
    std::thread a([node] { (void)node->value; });
    node.reset();
    a.join();
}
