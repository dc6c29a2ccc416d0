// norn: verified executions=1
// The second thread appends when the first has ended.
#include <thread>
#include <vector>

static std::vector<int> list(4);

static void append() {
    // One thread after the other.
    list.push_back(1);
}

int main() {
    std::thread other(append);
    other.join();
    list.push_back(2);
}
