// norn: expect violation use_after_free -- -std=c++20
// A vector grows while somebody reads it: what is read may be gone.
#include <thread>
#include <vector>

int main() {
    std::vector<int> numbers{1};
    std::thread worker([&] { numbers.push_back(2); });
    int first = numbers[0];
    worker.join();
    return first - 1;
}
