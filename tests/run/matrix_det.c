#include <stdio.h>
static long det(int n, long m[n][n]) { if (n == 1) return m[0][0]; long s = 0; for (int c = 0; c < n; c++) { long sub[n - 1][n - 1]; for (int i = 1; i < n; i++) for (int j = 0, k = 0; j < n; j++) if (j != c) sub[i - 1][k++] = m[i][j]; s += (c % 2 ? -1 : 1) * m[0][c] * det(n - 1, sub); } return s; }
int main(void) { long m[4][4] = {{2, 0, 1, 3}, {4, 1, -1, 2}, {0, 5, 2, 1}, {1, 2, 3, 4}}; printf("%ld\n", det(4, m)); return 0; }
