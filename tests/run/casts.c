#include <stdio.h>
int main(void) {
    long big = 0x123456789abcdef0L; int i = (int)big; short s = (short)big; signed char c = (signed char)big; unsigned char u = (unsigned char)big;
    printf("%d %d %d %d\n", i, s, c, u);
    int m = -1; printf("%u %lu %lu\n", (unsigned)m, (unsigned long)m, (unsigned long)(unsigned)m);
    printf("%d %d\n", (int)(signed char)200, (int)(unsigned char)-56);
    printf("%ld\n", (long)(int)0x80000000);
    _Bool b = 256; _Bool z = 0.0; _Bool p = &m != 0; printf("%d %d %d\n", b, z, p);
    return b;
}
