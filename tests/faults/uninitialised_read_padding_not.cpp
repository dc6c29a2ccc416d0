// norn: verified executions=1
// The near twin, without the fault.
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
    return maybe.is_there;
}
