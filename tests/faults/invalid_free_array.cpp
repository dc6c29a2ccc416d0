// norn: violation invalid_free line=7
// Memory from new[] is given back by delete.
#include <cstdlib>

int main() {
    int *x = new int[4];
    delete x;
}
