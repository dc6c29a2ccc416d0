// norn: verified executions=70
// The near twin of data_race_exception.cpp that has nothing wrong: nobody changes the exception.
#include <atomic>
#include <exception>
#include <thread>

static std::exception_ptr kept;

static void look(bool changes) {
    try {
        std::rethrow_exception(kept);
    } catch (int &number) {
        if (changes)
            number = 2;
        else if (number == 3)
            number = 4;
    }
}

int main() {
    try {
        throw 1;
    } catch (...) {
        kept = std::current_exception();
    }
    std::thread other([] { look(false); });
    look(false);
    other.join();
    kept = nullptr;
}
