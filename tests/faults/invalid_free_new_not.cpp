// norn: verified executions=1
// The near twin, without the fault.
#include <cstdlib>

int main() {
    int *x = new int(1);
    delete x;
}
