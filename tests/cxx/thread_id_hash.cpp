// norn: expect verified -- -std=c++20
// Threads as keys of a table.
#include <cstdio>
#include <functional>
#include <thread>
#include <unordered_map>

int main() {
    std::unordered_map<std::thread::id, int> names;
    names[std::this_thread::get_id()] = 1;
    std::thread worker([] {});
    names[worker.get_id()] = 2;
    bool differ = std::hash<std::thread::id>()(worker.get_id()) != std::hash<std::thread::id>()(std::this_thread::get_id());
    worker.join();
    std::printf("%zu %d %d\n", names.size(), names[std::this_thread::get_id()], differ);
}
