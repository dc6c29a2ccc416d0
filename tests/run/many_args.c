#include <stdio.h>
static long f(char a, short b, int c, long d, float e, double g, char *h, int i, long j, unsigned char k, double l, int m) { return a + b * 2 + c * 3 + d * 4 + (long)(e * 5) + (long)(g * 6) + h[0] + i + j * 9 + k + (long)l + m; }
int main(void) { printf("%ld\n", f(1, -2, 3, 4L << 33, 1.5f, -2.5, "A", 8, -9, 250, 11.75, 12)); return 0; }
