#include <stdio.h>
static long lo = (long)(-9223372036854775807L-1), hi = (long)9223372036854775807L;
static void show(const char *what, long v) { printf("%s %ld\n", what, v); }
int main(void) {
    long a = 7, b = 3;
    show("add", a + b); show("sub", b - a); show("mul", a * b); show("div", a / b); show("rem", a % b);
    show("and", a & b); show("or", a | b); show("xor", a ^ b); show("not", ~a); show("neg", -a);
    show("shl", a << 3); show("shr", hi >> 2); show("shr low", lo >> 1);
    show("lo", lo); show("hi", hi); show("half", hi / 2); show("rem hi", hi % 10);
    printf("%d%d%d%d%d%d\n", a < b, a <= b, a > b, a >= b, a == b, a != b);
    printf("%d%d%d%d\n", lo < hi, lo > hi, lo < 0, hi > 0);
    a++; ++a; b--; --b; a += b; a -= 1; a *= 2; a /= 3; a %= 5; a <<= 2; a >>= 1; a |= 8; a &= 12; a ^= 5;
    show("chain", a); show("b", b);
    return (int)(a & 31);
}
