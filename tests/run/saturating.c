#include <stdio.h>
static int sat_add(int a, int b) { int r; if (__builtin_add_overflow(a, b, &r)) return a < 0 ? -2147483647 - 1 : 2147483647; return r; } static unsigned char clamp(int v) { return (unsigned char)(v < 0 ? 0 : v > 255 ? 255 : v); }
int main(void) { printf("%d %d %d\n", sat_add(2147483000, 1000), sat_add(-2147483000, -1000), sat_add(5, -7)); printf("%d %d %d\n", clamp(-5), clamp(300), clamp(77)); return 0; }
