// norn: violation invalid_free line=7
// Memory from malloc is given back by delete.
#include <cstdlib>

int main() {
    int *x = static_cast<int *>(malloc(4));
    delete x;
}
