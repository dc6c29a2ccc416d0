// norn: expect verified -- -std=c++20
// Adapters of containers.
#include <cstdio>
#include <queue>
#include <stack>
#include <string>
#include <utility>
#include <vector>

int main() {
    std::priority_queue<std::pair<int, std::string>> tasks;
    tasks.push({2, "second"});
    tasks.push({9, "first"});
    std::stack<int> stack;
    stack.push(4);
    stack.push(5);
    std::queue<int> queue;
    queue.push(6);
    std::printf("%s %d %d\n", tasks.top().second.c_str(), stack.top(), queue.front());
}
