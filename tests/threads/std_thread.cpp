#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex lock;
static std::condition_variable changed;
static int turn;
static std::atomic<int> total{0};

struct Counter {
    int value = 0;
    std::mutex lock;
    void add(int n)
    {
        std::lock_guard<std::mutex> guard(lock);
        value += n;
    }
};

static int &singleton()
{
    static int instance = [] { return std::puts("made once"), 41; }();
    return instance;
}

static void take_turns(int me, std::vector<int> &order)
{
    for (int i = 0; i < 2; i++) {
        std::unique_lock<std::mutex> guard(lock);
        changed.wait(guard, [me] { return turn == me; });
        order.push_back(me);
        turn = (turn + 1) % 3;
        changed.notify_all();
    }
    total.fetch_add(me, std::memory_order_relaxed);
}

struct Base {
    virtual ~Base() { std::printf("~Base\n"); }
    virtual int get() const = 0;
};
struct Derived : Base {
    int n;
    explicit Derived(int n) : n(n) {}
    int get() const override { return n * 2; }
};

int main()
{
    std::vector<int> order;
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++)
        threads.emplace_back(take_turns, i, std::ref(order));
    for (auto &thread : threads)
        thread.join();
    for (int who : order)
        std::printf("%d ", who);
    std::printf("\ntotal %d\n", total.load());

    Counter counter;
    std::thread a([&] { counter.add(3); singleton(); });
    std::thread b([&] { counter.add(4); singleton(); });
    a.join();
    b.join();
    std::printf("counter %d %d\n", counter.value, singleton());

    auto shared = std::make_shared<Derived>(21);
    std::shared_ptr<Base> base = shared;
    std::thread c([base] { std::printf("get %d\n", base->get()); });
    c.join();
    std::unique_ptr<Base> owned(new Derived(1));
    std::function<int(int)> twice = [&](int n) { return owned->get() * n; };
    std::printf("twice %d\n", twice(5));

    std::once_flag flag;
    int calls = 0;
    std::thread d([&] { std::call_once(flag, [&] { calls++; }); });
    std::call_once(flag, [&] { calls++; });
    d.join();
    std::printf("calls %d\n", calls);
    return order.size() == 6 ? 0 : 1;
}
