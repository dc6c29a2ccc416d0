// norn: expect verified -- -std=c++20
// Texts, short and long.
#include <cstdio>
#include <string>
#include <string_view>

int main() {
    std::string text = "short";
    text += " and then a good deal longer than fits in place";
    text.insert(5, ",").replace(0, 5, "SHORT").erase(text.size() - 6);
    std::string_view view(text);
    std::printf("%s|%zu|%d|%s|%s\n", text.c_str(), view.find("then"), std::stoi("42x"), std::to_string(-17).c_str(),
                std::to_string(2.5).c_str());
}
