// norn: expect verified -- -std=c++20
// A signal from one thread to another.
#include <cstdio>
#include <semaphore>
#include <thread>

int main() {
    std::binary_semaphore ready(0);
    int data = 0;
    std::thread worker([&] {
        data = 9;
        ready.release();
    });
    ready.acquire();
    std::printf("%d\n", data);
    worker.join();
}
