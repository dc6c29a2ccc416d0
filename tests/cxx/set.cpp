// norn: expect verified -- -std=c++20
// Sets with an order of their own, and with equal members.
#include <cstdio>
#include <functional>
#include <set>

int main() {
    std::set<int, std::greater<int>> down{3, 1, 4, 1, 5, 9, 2, 6};
    for (int x : down) std::printf("%d ", x);
    std::multiset<int> all{3, 1, 4, 1, 5};
    all.erase(all.find(1));
    for (int x : all) std::printf("%d ", x);
    std::printf("%zu\n", all.count(1));
}
