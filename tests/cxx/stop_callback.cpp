// norn: expect verified -- -std=c++20
// Who asks to stop calls who wants to know.
#include <cstdio>
#include <stop_token>

int main() {
    std::stop_source source;
    int calls = 0;
    std::stop_callback first(source.get_token(), [&] { calls++; });
    {
        std::stop_callback gone(source.get_token(), [&] { calls += 10; });
    }
    source.request_stop();
    std::stop_callback late(source.get_token(), [&] { calls += 100; });
    std::printf("%d\n", calls);
}
