// norn: expect verified -- -std=c++20
// An object that gives out pointers to itself.
#include <cstdio>
#include <memory>
#include <thread>

struct Session : std::enable_shared_from_this<Session> {
    int done = 0;
    std::thread start() {
        return std::thread([self = shared_from_this()] { self->done = 1; });
    }
};

int main() {
    auto session = std::make_shared<Session>();
    std::thread worker = session->start();
    worker.join();
    std::printf("%d %ld\n", session->done, session.use_count());
}
