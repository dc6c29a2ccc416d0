#include <stdio.h>
static int n; static int t(int v) { printf("%d ", v); n += v; return v; }
int main(void) { int a = t(1) + (t(2), t(3)); int b = t(0) || t(4) && t(5); int c = t(6) ? t(7) : t(8); int d[3]; d[0] = t(9); d[1] = d[0] ? 1 : 2; a += t(1) ? b : c; printf("\n%d %d %d %d %d\n", a, b, c, d[1], n); return 0; }
