#include <stdio.h>
static int f(int a, int b, int c) { int r = a ? (b ? 1 : (c ? 2 : 3)) : (b ? (c ? 4 : 5) : 6); return r * (a && b || c) + (a || b && !c); }
int main(void) { for (int i = 0; i < 8; i++) printf("%d ", f(i & 1, i & 2, i & 4)); puts(""); return 0; }
