#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>
template <typename T, int N> struct Ring { T items[N]; int head = 0; void push(T t) { items[head++ % N] = t; } };
int run() {
    std::vector<int> v{3, 1, 2};
    std::sort(v.begin(), v.end(), [](int a, int b) { return a > b; });
    std::map<std::string, std::unique_ptr<int>> m;
    m["one"] = std::make_unique<int>(1);
    Ring<double, 4> r;
    r.push(1.5);
    auto shared = std::make_shared<std::string>("text");
    int total = *m["one"] + (int)r.items[0] + (int)shared->size();
    for (int x : v) total += x;
    return total;
}
