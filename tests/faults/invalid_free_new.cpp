// norn: violation invalid_free line=7
// Memory from new is given back by free.
#include <cstdlib>

int main() {
    int *x = new int(1);
    free(x);
}
