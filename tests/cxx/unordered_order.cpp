// norn: expect verified -- -std=c++20
// The order in a table is that of the library.
#include <cstdio>
#include <string>
#include <unordered_map>
#include <unordered_set>

int main() {
    std::unordered_map<std::string, int> words;
    for (int i = 0; i < 40; i++) words["word" + std::to_string(i * 7)] = i;
    words.erase("word14");
    for (auto &entry : words) std::printf("%s %d,", entry.first.c_str(), entry.second);
    std::unordered_set<int> numbers;
    numbers.reserve(100);
    for (int i = 0; i < 30; i++) numbers.insert(i * i);
    for (int x : numbers) std::printf(" %d", x);
    std::printf(" %zu\n", numbers.bucket_count());
}
