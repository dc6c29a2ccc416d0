// norn: expect verified -- -std=c++20
// Types that are asked for while the program runs.
#include <cstdio>
#include <memory>
#include <thread>
#include <typeindex>
#include <typeinfo>
#include <unordered_map>

struct Shape {
    virtual ~Shape() = default;
};
struct Named {
    virtual ~Named() = default;
    int name = 3;
};
struct Circle : Shape, Named {};
struct Square : Shape {};

int main() {
    std::unique_ptr<Shape> one = std::make_unique<Circle>(), two = std::make_unique<Square>();
    int found = 0;
    std::thread worker([&] {
        if (auto *named = dynamic_cast<Named *>(one.get())) found = named->name;
    });
    worker.join();
    std::unordered_map<std::type_index, int> kinds{{typeid(Circle), 1}, {typeid(Square), 2}};
    std::printf("%d %d %d %s\n", found, dynamic_cast<Named *>(two.get()) == nullptr, kinds[typeid(*two)],
                typeid(*one).name());
    try {
        dynamic_cast<Named &>(*two);
    } catch (const std::bad_cast &error) {
        std::puts(error.what());
    }
}
