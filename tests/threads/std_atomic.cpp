#include <atomic>
#include <cstdio>
#include <deque>
#include <list>
#include <string>
#include <thread>

struct Node {
    int value;
    Node *next;
};

class Stack {
    std::atomic<Node *> head{nullptr};

  public:
    void push(int value)
    {
        Node *node = new Node{value, head.load(std::memory_order_relaxed)};
        while (!head.compare_exchange_weak(node->next, node, std::memory_order_release,
                                           std::memory_order_relaxed)) {
        }
    }
    long drain()
    {
        long sum = 0;
        Node *node = head.exchange(nullptr, std::memory_order_acquire);
        while (node) {
            sum += node->value;
            Node *next = node->next;
            delete node;
            node = next;
        }
        return sum;
    }
};

template <typename T> static T best(T a, T b) { return a < b ? b : a; }

int main()
{
    Stack stack;
    std::thread a([&] { for (int i = 0; i < 5; i++) stack.push(i); });
    std::thread b([&] { for (int i = 0; i < 5; i++) stack.push(10 * i); });
    a.join();
    b.join();
    std::printf("%ld\n", stack.drain());
    std::deque<int> queue;
    for (int i = 0; i < 100; i++)
        queue.push_back(i * i);
    long sum = 0;
    for (int x : queue)
        sum += x;
    std::string text = "a fairly long string that does not fit in place";
    text += std::to_string(sum);
    std::list<std::string> words{"one", text, "three"};
    words.pop_front();
    for (const auto &word : words)
        std::printf("%s %zu\n", word.c_str(), word.size());
    std::printf("%d\n", best(3, 4));
    return 0;
}
