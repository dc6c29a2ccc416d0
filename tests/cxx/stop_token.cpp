// norn: expect verified -- -std=c++20
// A thread is asked to stop.
#include <cstdio>
#include <stop_token>
#include <thread>

int main() {
    bool stopped = false;
    {
        std::jthread worker([&](std::stop_token token) {
            while (!token.stop_requested()) std::this_thread::yield();
            stopped = true;
        });
    }
    std::printf("%d\n", stopped);
}
