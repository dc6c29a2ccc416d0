// norn: expect verified -- -std=c++20
// Two threads may print to one stream.
#include <iostream>
#include <thread>

int main() {
    std::thread worker([] { std::cout << "same\n"; });
    std::cout << "same\n";
    worker.join();
}
