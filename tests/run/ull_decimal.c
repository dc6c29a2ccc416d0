#include <stdio.h>
static void dec(unsigned long long v) { char b[24]; int i = 0; do b[i++] = (char)('0' + v % 10); while (v /= 10); while (i) putchar(b[--i]); putchar('\n'); }
int main(void) { dec(0); dec(18446744073709551615ull); dec(1234567890123456789ull); unsigned long long f = 1; for (int i = 1; i <= 20; i++) f *= (unsigned)i; dec(f); return 0; }
