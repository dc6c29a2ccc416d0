// norn: verified executions=1
// A handler that is there, and nothing that is thrown.
#include <cassert>

int main() {
    int caught = 0;
    try {
        caught = 5;
    } catch (int number) {
        caught = number;
    }
    assert(caught == 5);
}
