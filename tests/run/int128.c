#include <stdio.h>
typedef unsigned __int128 u128; typedef __int128 i128;
static void show(u128 v) { printf("%016lx%016lx\n", (unsigned long)(v >> 64), (unsigned long)v); }
static void dec(u128 v) { char b[50]; int i = 49; b[i] = 0; do { b[--i] = '0' + (int)(v % 10); v /= 10; } while (v); puts(b + i); }
int main(void) {
    u128 a = (u128)0x123456789abcdef0ul << 64 | 0xfedcba9876543210ul, b = 12345678901234567ul;
    show(a + b); show(a - b); show(a * b); show(a / b); show(a % b); show(a << 17); show(a >> 65); show(a ^ b); show(a & b); show(a | b); show(~a); show(-a);
    i128 s = -(i128)a; show((u128)(s >> 3)); show((u128)(s / 1000)); show((u128)(s % 1000)); show((u128)(i128)-1);
    printf("%d%d%d%d\n", s < 0, s < (i128)a, a > b, a == a);
    dec(a); dec((u128)-1); dec(0);
    printf("%g %g\n", (double)a, (double)s); show((u128)1e30); show((u128)(i128)-1e20);
    for (int i = 0; i < 128; i += 31) { show(a << i); show((u128)(s >> i)); }
    return (int)(a & 63);
}
