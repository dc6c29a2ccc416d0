// norn: expect violation deadlock --model sc -- -std=c++20
// GNU's library (12.2) waits for the number of places to change that it saw before it tried, not after: who sees one place,
// does not get it and waits then sleeps although there is one again.
#include <semaphore>
#include <thread>

int main() {
    std::counting_semaphore<2> places(1);
    auto enter = [&] {
        places.acquire();
        places.release();
    };
    std::thread a(enter);
    enter();
    a.join();
}
