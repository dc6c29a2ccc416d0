// norn: verified executions=1
// The near twin of use_after_free_exception.cpp that has nothing wrong: a std::exception_ptr keeps the exception.
#include <exception>
#include <stdexcept>

int main() {
    const char *text = nullptr;
    std::exception_ptr kept;
    try {
        throw std::runtime_error("lost");
    } catch (const std::exception &error) {
        text = error.what();
        kept = std::current_exception();
    }
    return text[0] == 'x';
}
