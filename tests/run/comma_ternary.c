#include <stdio.h>
int main(void) { int a = 1, b = 2, c; c = (a += 2, b *= a, a + b); printf("%d %d %d\n", a, b, c); int m = a > b ? a : b > c ? b : c; printf("%d\n", m); const char *s = m > 8 ? "big" : "small"; puts(s); long l = a ? 1L : 2; double d = b ? 1 : 2.5; printf("%ld %g\n", l, d); return 0; }
