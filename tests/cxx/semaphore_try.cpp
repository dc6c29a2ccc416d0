// norn: expect verified -- -std=c++20
// Who does not get a place goes on.
#include <chrono>
#include <cstdio>
#include <semaphore>

int main() {
    std::binary_semaphore place(1);
    std::printf("%d", place.try_acquire());
    std::printf("%d", place.try_acquire());
    place.release();
    std::printf("%d\n", place.try_acquire_for(std::chrono::milliseconds(1)));
}
