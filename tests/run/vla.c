#include <stdio.h>
static int total(int n, int m, int a[n][m]) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += a[i][j]; return s; } static int f(int n) { int a[n], s = 0; for (int i = 0; i < n; i++) a[i] = i * i; for (int i = 0; i < n; i++) { char b[i + 1]; b[i] = (char)i; s += a[i] + b[i] + (int)sizeof b; } return s; }
int main(void) { int n = 3, m = 4, x[n][m]; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) x[i][j] = i * 10 + j; printf("%d %d %lu\n", total(n, m, x), f(6), sizeof x); return 0; }
