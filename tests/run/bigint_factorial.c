#include <stdio.h>
int main(void) { int d[100] = {1}, n = 1; for (int i = 2; i <= 40; i++) { int c = 0; for (int j = 0; j < n; j++) { c += d[j] * i; d[j] = c % 10; c /= 10; } while (c) { d[n++] = c % 10; c /= 10; } } while (n--) putchar('0' + d[n]); putchar('\n'); return 0; }
