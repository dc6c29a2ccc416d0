// norn: violation assertion line=20
// Two owners, of which either may be the last; the library reads both of its counters at once.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

static std::atomic<int> dead{0};

struct Thing {
    int number = 5;
    ~Thing() { dead++; }
};

int main() {
    {
        auto thing = std::make_shared<Thing>();
        std::thread thread([thing] { assert(thing->number == 5); });
        thing.reset();
        assert(dead == 0);
        thread.join();
    }
    assert(dead == 1);
    return 0;
}
