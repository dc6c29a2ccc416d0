#include <stdio.h>
#include <string.h>
int main(void) { float f[] = {1.0f, -2.5f, 0.1f, 3.4e38f}; for (int i = 0; i < 4; i++) { unsigned u; memcpy(&u, &f[i], 4); printf("%08x\n", u); } double d = 0.1; unsigned long l; memcpy(&l, &d, 8); printf("%016lx\n", l); union { float f; unsigned u; } u = {.u = 0x40490fdb}; printf("%f\n", u.f); return 0; }
