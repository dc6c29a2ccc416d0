#include <stdio.h>
static int find(const int *a, int n, int v) { for (int i = 0; i < n; i++) { if (a[i] == v) return i; if (a[i] < 0) break; } return -1; } static int prime(int n) { if (n < 2) return 0; for (int d = 2; d * d <= n; d++) if (n % d == 0) return 0; return 1; }
int main(void) { int a[] = {4, 8, 15, 16, 23, -1, 42}; printf("%d %d %d\n", find(a, 7, 16), find(a, 7, 42), find(a, 0, 4)); for (int i = 0; i < 30; i++) if (prime(i)) printf("%d ", i); puts(""); return 0; }
