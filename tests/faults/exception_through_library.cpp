// norn: inconclusive unsupported warning=unsupported:8
// An exception would have to leave qsort, which calls what throws it: how that is left is not known.
#include <cassert>
#include <cstdlib>

static int compare(const void *a, const void *b) {
    if (*static_cast<const int *>(a) == 2 || *static_cast<const int *>(b) == 2)
        throw 2;
    return 0;
}

int main() {
    int list[] = {1, 2}, caught = 0;
    try {
        std::qsort(list, 2, sizeof *list, compare);
    } catch (int number) {
        caught = number;
    }
    assert(caught == 2);
}
