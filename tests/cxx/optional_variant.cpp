// norn: expect verified -- -std=c++20
// Values that may be there, and values of several types.
#include <cstdio>
#include <optional>
#include <string>
#include <variant>

int main() {
    std::optional<std::string> name;
    std::printf("%s ", name.value_or("nobody").c_str());
    name = "somebody";
    std::variant<int, std::string> value = 3;
    std::printf("%d ", std::get<int>(value));
    value = *name;
    std::visit([](const auto &x) { std::printf("%zu ", sizeof x); }, value);
    try {
        std::get<int>(value);
    } catch (const std::bad_variant_access &error) {
        std::printf("%s ", error.what());
    }
    name.reset();
    try {
        name.value();
    } catch (const std::bad_optional_access &error) {
        std::printf("%s\n", error.what());
    }
}
