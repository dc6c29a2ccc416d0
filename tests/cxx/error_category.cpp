// norn: expect verified -- -std=c++20
// A kind of error codes of one's own.
#include <cstdio>
#include <string>
#include <system_error>

struct Kitchen : std::error_category {
    const char *name() const noexcept override { return "kitchen"; }
    std::string message(int code) const override { return code == 1 ? "too hot" : "fine"; }
};

int main() {
    static const Kitchen kitchen;
    std::error_code code(1, kitchen);
    std::printf("%s %s %d\n", code.category().name(), code.message().c_str(), code == std::error_condition(1, kitchen));
}
