#include <algorithm>
#include <cstdio>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>
struct Node { int v; std::unique_ptr<Node> next; ~Node() { std::printf("drop %d\n", v); } };
int main() {
    std::vector<int> v{5, 2, 8, 1};
    v.push_back(7);
    std::sort(v.begin(), v.end());
    for (int x : v) std::printf("%d ", x);
    std::printf("%d\n", std::accumulate(v.begin(), v.end(), 0));
    v.erase(std::remove_if(v.begin(), v.end(), [](int x) { return x % 2; }), v.end());
    std::printf("%zu\n", v.size());
    std::string s = "hello";
    s += ", world of strings that are long";
    s.insert(0, ">> ");
    std::printf("%s %zu %zu\n", s.c_str(), s.size(), s.find("world"));
    std::printf("%s %d\n", s.substr(3, 5).c_str(), s < std::string("zzz"));
    auto n = std::unique_ptr<Node>(new Node{1, nullptr});
    n->next = std::unique_ptr<Node>(new Node{2, nullptr});
    auto sp = std::make_shared<int>(42);
    auto sq = sp;
    std::printf("%d %ld\n", *sq, sp.use_count());
    std::optional<int> o;
    std::printf("%d ", o.value_or(3));
    o = 4;
    std::printf("%d\n", *o);
    std::vector<std::string> words{"pear", "fig", "apple"};
    std::sort(words.begin(), words.end());
    for (auto &w : words) std::printf("%s ", w.c_str());
    std::printf("%s\n", std::to_string(12345).c_str());
    return 0;
}
