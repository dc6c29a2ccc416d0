#include <stdio.h>
#include <limits.h>
int main(void) { printf("%d %d %u %ld %lu %d\n", INT_MAX, INT_MIN, UINT_MAX, LONG_MAX, ULONG_MAX, CHAR_BIT); printf("%d %d %d\n", INT_MAX + INT_MIN, INT_MIN / 2, INT_MIN % 7); printf("%u %ld\n", -(unsigned)INT_MIN, -(long)INT_MIN); long long x = LLONG_MAX; x -= INT_MAX; printf("%lld\n", x); return 0; }
