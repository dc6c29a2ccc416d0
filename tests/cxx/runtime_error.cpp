// norn: expect verified -- -std=c++20
// Errors of the library, caught by what they are.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

int main() {
    try {
        throw std::runtime_error("went " + std::string("wrong"));
    } catch (const std::exception &error) {
        std::printf("%s\n", error.what());
    }
    try {
        std::vector<int>(2).at(5);
    } catch (const std::out_of_range &error) {
        std::puts(error.what());
    }
    try {
        std::thread().join();
    } catch (const std::system_error &error) {
        std::printf("%d\n", error.code() == std::errc::invalid_argument);
    }
    try {
        std::stoi("no number");
    } catch (const std::invalid_argument &error) {
        std::puts(error.what());
    }
}
