#include <stdio.h>
int main(void) {
    int r; unsigned u; long l; signed char c; unsigned long ul; unsigned char uc;
    printf("%d", __builtin_add_overflow(2147483647, 1, &r)); printf(" %d\n", r);
    printf("%d", __builtin_sub_overflow(-2147483647 - 1, 1, &r)); printf(" %d\n", r);
    printf("%d", __builtin_mul_overflow(65536, 65536, &r)); printf(" %d\n", r);
    printf("%d", __builtin_add_overflow(4000000000u, 400000000u, &u)); printf(" %u\n", u);
    printf("%d", __builtin_sub_overflow(1u, 2u, &u)); printf(" %u\n", u);
    printf("%d", __builtin_mul_overflow(1L << 40, 1L << 30, &l)); printf(" %ld\n", l);
    printf("%d", __builtin_add_overflow(100, 27, &c)); printf(" %d\n", c);
    printf("%d", __builtin_add_overflow(100, 28, &c)); printf(" %d\n", c);
    printf("%d", __builtin_mul_overflow(0xfffffffful, 0x100000001ul, &ul)); printf(" %lu\n", ul);
    printf("%d", __builtin_add_overflow(200, 56, &uc)); printf(" %d\n", uc);
    printf("%d", __builtin_add_overflow(-5, 3u, &r)); printf(" %d\n", r);
    return 0;
}
