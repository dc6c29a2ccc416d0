// norn: expect verified -- -std=c++20
// A thread that is joined by itself.
#include <cstdio>
#include <thread>

int main() {
    int data = 0;
    {
        std::jthread worker([&] { data = 1; });
    }
    std::printf("%d\n", data);
}
