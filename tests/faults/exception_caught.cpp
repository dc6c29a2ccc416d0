// norn: inconclusive unsupported warning=unsupported:8
// An exception that a handler catches: what happens then is not known.
#include <cassert>

int main() {
    int caught = 0;
    try {
        throw 5;
    } catch (int number) {
        caught = number;
    }
    assert(caught == 5);
}
