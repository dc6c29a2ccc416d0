#include <stdio.h>
int main(void) { int a = 1, b = 2, c = 3; for (int i = 0; i < 7; i++) { int t = a; a = b; b = c; c = t; if (i & 1) { t = a; a = b; b = t; } } printf("%d%d%d\n", a, b, c); unsigned x = 0, y = 1; for (int i = 0; i < 40; i++) { unsigned t = x + y; x = y; y = t; } printf("%u %u\n", x, y); return 0; }
