// norn: expect verified -- -std=c++20
// Parts of lists are moved.
#include <cstdio>
#include <list>

int main() {
    std::list<int> a{3, 1, 2}, b{9, 7};
    a.sort();
    a.splice(a.begin(), b, b.begin());
    a.reverse();
    a.swap(b);
    a.merge(b);
    a.remove(2);
    for (int x : a) std::printf("%d ", x);
    std::printf("%zu %zu\n", a.size(), b.size());
}
