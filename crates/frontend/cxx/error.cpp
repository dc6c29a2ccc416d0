// What kinds of error codes of a program's own leave to the library.
#include <system_error>

namespace std {
inline namespace _V2 {

error_category::~error_category() = default;

error_condition error_category::default_error_condition(int code) const noexcept { return {code, *this}; }

bool error_category::equivalent(int code, const error_condition& condition) const noexcept {
    return default_error_condition(code) == condition;
}

bool error_category::equivalent(const error_code& code, int condition) const noexcept {
    return code.category() == *this && code.value() == condition;
}

} // namespace _V2
} // namespace std
