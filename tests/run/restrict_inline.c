#include <stdio.h>
static inline int sq(int x) { return x * x; } static void axpy(int n, int a, const int *restrict x, int *restrict y) { for (int i = 0; i < n; i++) y[i] += a * x[i]; } extern inline int ext(int x) { return x + 1; }
int main(void) { int x[4] = {1, 2, 3, 4}, y[4] = {10, 20, 30, 40}; axpy(4, 3, x, y); printf("%d %d %d\n", y[0], y[3], sq(7)); return 0; }
