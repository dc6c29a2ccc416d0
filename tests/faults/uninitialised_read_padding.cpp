// norn: violation uninitialised_read line=19
// A value that is returned empty is used.
#include <cassert>
#include <utility>

struct Maybe {
    long value;
    bool is_there;
};

static Maybe nothing() {
    Maybe maybe;
    maybe.is_there = false;
    return maybe;
}

int main() {
    Maybe maybe = nothing();
    return maybe.value > 0;
}
