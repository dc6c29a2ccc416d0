// division_by_zero
#include <limits.h>
int main(int argc, char **argv) { int a = INT_MIN; return a / -argc; }
