#include <stdio.h>
int main(void) {
    unsigned x[] = {1, 0x80000000u, 0x00ff00f0u, 0xffffffffu, 12345};
    for (int i = 0; i < 5; i++) printf("%d %d %d %d %d\n", __builtin_popcount(x[i]), __builtin_clz(x[i]), __builtin_ctz(x[i]), __builtin_ffs((int)x[i]), __builtin_parity(x[i]));
    unsigned long y = 0x0123456789abcdeful; printf("%d %d %d\n", __builtin_popcountl(y), __builtin_clzl(y), __builtin_ctzl(y));
    printf("%x %x %lx\n", __builtin_bswap16(0x1234), __builtin_bswap32(0x12345678), __builtin_bswap64(y));
    return 0;
}
