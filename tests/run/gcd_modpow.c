#include <stdio.h>
static unsigned long gcd(unsigned long a, unsigned long b) { return b ? gcd(b, a % b) : a; } static unsigned long mp(unsigned long b, unsigned long e, unsigned long m) { unsigned long r = 1; for (b %= m; e; e >>= 1, b = (unsigned long)((unsigned __int128)b * b % m)) if (e & 1) r = (unsigned long)((unsigned __int128)r * b % m); return r; }
int main(void) { printf("%lu %lu %lu\n", gcd(1071, 462), mp(3, 200, 1000007), mp(2, 1000000, 18446744073709551557ul)); return 0; }
