#include <stdio.h>
int main(void) { int x = 0x11223344; unsigned char *p = (unsigned char *)&x; for (int i = 0; i < 4; i++) printf("%x ", p[i]); p[2] = 0xaa; printf("%x\n", x); long l = -1; ((short *)&l)[1] = 0; printf("%lx\n", l); double d = 1; ((unsigned char *)&d)[7] ^= 0x80; printf("%g\n", d); return 0; }
