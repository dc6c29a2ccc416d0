#include <stdio.h>
struct w { unsigned long a : 24, b : 24, c : 16; }; struct __attribute__((packed)) t { unsigned a : 17; unsigned long b : 37; unsigned char c; };
static struct w g = {0x123456, 0x789abc, 0xdef0}; static struct t h = {0x1ffff, 0x1234567890ul, 7};
int main(void) { struct w l = g; l.b++; struct t m = h; m.b -= 3; m.a /= 2; printf("%lx %lx %lx %x %lx %d %lu %lu\n", (long)l.a, (long)l.b, (long)l.c, m.a, (long)m.b, m.c, sizeof l, sizeof m); return 0; }
