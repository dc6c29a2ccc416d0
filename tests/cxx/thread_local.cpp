// norn: expect verified -- -std=c++20
// Each thread has an object of its own, which ends with it.
#include <cstdio>
#include <string>
#include <thread>

struct Own {
    std::string name = "nobody";
    ~Own() { std::printf("end of %s\n", name.c_str()); }
};
static thread_local Own own;

int main() {
    std::thread worker([] { own.name = "worker"; });
    worker.join();
    own.name = "main";
}
