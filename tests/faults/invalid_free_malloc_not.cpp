// norn: verified executions=1
// The near twin, without the fault.
#include <cstdlib>

int main() {
    int *x = static_cast<int *>(malloc(4));
    free(x);
}
