#include <stdio.h>
union u { int i; unsigned char b[4]; float f; short s[2]; }; static union u g = {.f = 1.0f};
int main(void) { union u u = {.i = 0x01020304}; printf("%d %d %d %d %d\n", u.b[0], u.b[3], u.s[0], u.s[1], g.i); u.b[1] = 0xff; printf("%x\n", u.i); u.f = -0.5f; printf("%x\n", u.i); union u v = u; v.s[1] = 0; printf("%x %x\n", v.i, u.i); return sizeof u; }
