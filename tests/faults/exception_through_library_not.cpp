// norn: verified executions=1
// The near twin of exception_through_library.cpp, whose exception is caught within.
#include <cassert>
#include <cstdlib>

static int caught = 0;

static int compare(const void *a, const void *b) {
    try {
        if (*static_cast<const int *>(a) == 2 || *static_cast<const int *>(b) == 2)
            throw 2;
    } catch (int number) {
        caught = number;
    }
    return 0;
}

int main() {
    int list[] = {1, 2};
    std::qsort(list, 2, sizeof *list, compare);
    assert(caught == 2);
}
