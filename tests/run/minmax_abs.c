#include <stdio.h>
#include <stdlib.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
int main(void) { int v[] = {3, -7, 0, 12, -2147483647}; int lo = v[0], hi = v[0]; long s = 0; for (int i = 0; i < 5; i++) { lo = MIN(lo, v[i]); hi = MAX(hi, v[i]); s += labs(v[i]); } printf("%d %d %ld %lld\n", lo, hi, s, llabs(-5LL)); return abs(v[1]); }
