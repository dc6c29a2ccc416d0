#include <stdio.h>
static int depth(int n) { char pad[32]; pad[n % 32] = (char)n; return n == 0 ? pad[0] : 1 + depth(n - 1); }
int main(void) { printf("%d\n", depth(500)); return 0; }
