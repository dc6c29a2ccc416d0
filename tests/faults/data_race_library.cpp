// norn: violation data_race line=10
// The accesses that race are in the library; the report is about the calls.
#include <thread>
#include <vector>

static std::vector<int> list(4);

static void append() {
    // Both threads append.
    list.push_back(1);
}

int main() {
    std::thread other(append);
    list.push_back(2);
    other.join();
}
