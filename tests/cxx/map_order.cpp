// norn: expect verified -- -std=c++20
// Many insertions and removals keep the order.
#include <cassert>
#include <cstdio>
#include <iterator>
#include <map>

int main() {
    std::map<unsigned, unsigned> map;
    unsigned seed = 1;
    for (unsigned i = 0; i < 400; i++) {
        seed = seed * 1103515245 + 12345;
        unsigned key = seed >> 16 & 127;
        if (seed >> 24 & 1) map[key] = i;
        else map.erase(key);
        unsigned before = 0, count = 0;
        for (auto &entry : map) {
            assert(count == 0 || entry.first > before);
            before = entry.first;
            count++;
        }
        assert(count == map.size());
        if (!map.empty()) assert(std::prev(map.end())->first == before && map.rbegin()->first == before);
    }
    unsigned sum = 0;
    for (auto it = map.rbegin(); it != map.rend(); ++it) sum = sum * 31 + it->first * 7 + it->second;
    std::printf("%zu %u\n", map.size(), sum);
}
