// norn: verified executions=1
// The near twin of assertion_exception_caught.cpp that has nothing wrong: the second clause is the first that fits.
#include <cassert>

struct Error {
    int code;
};
struct Small : Error {
    explicit Small(int code) : Error{code} {}
};

static int run(int code) {
    try {
        throw Small(code);
    } catch (int number) {
        return number;
    } catch (const Error &error) {
        return error.code + 1;
    } catch (...) {
        return -1;
    }
}

int main() {
    assert(run(5) == 6);
}
