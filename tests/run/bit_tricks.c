#include <stdio.h>
static int parity(unsigned x) { int p = 0; while (x) { p ^= 1; x &= x - 1; } return p; }
static unsigned reverse(unsigned x) { unsigned r = 0; for (int i = 0; i < 32; i++) { r = r << 1 | (x & 1); x >>= 1; } return r; }
static unsigned next_pow2(unsigned v) { v--; v |= v >> 1; v |= v >> 2; v |= v >> 4; v |= v >> 8; v |= v >> 16; return v + 1; }
int main(void) {
    for (unsigned i = 1; i < 100000; i = i * 7 + 3) printf("%d %08x %u %u\n", parity(i), reverse(i), next_pow2(i), i & -i);
    return 0;
}
