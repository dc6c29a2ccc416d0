// norn: violation data_race line=14
// Two threads have the same exception, and one of them changes it.
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
    std::thread other([] { look(true); });
    look(false);
    other.join();
    kept = nullptr;
}
