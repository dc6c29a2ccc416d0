// norn: violation use_after_free line=12
// A pointer into an exception is used after the handler, which was the last to have it.
#include <stdexcept>

int main() {
    const char *text = nullptr;
    try {
        throw std::runtime_error("lost");
    } catch (const std::exception &error) {
        text = error.what();
    }
    return text[0] == 'x';
}
