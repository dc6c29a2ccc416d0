#include <stdio.h>
int main(void) {
    int n = 1; unsigned u = 0x80000001u; long l = -16; unsigned char c = 0xf0;
    for (int i = 0; i < 32; i += 5) printf("%d %u %u\n", n << i, u >> i, u << i);
    for (int i = 0; i < 64; i += 9) printf("%ld %lu %lu\n", l >> i, (unsigned long)l >> i, 1ul << i);
    printf("%d %d\n", c >> 4, c << 4);
    printf("%d\n", -1 >> 31);
    return 0;
}
