#include <stdio.h>
#define N 4
static double a[N][N], b[N][N], c[N][N];
int main(void) { for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) { a[i][j] = i + j * 0.5; b[i][j] = i - j; } for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) for (int k = 0; k < N; k++) c[i][j] += a[i][k] * b[k][j]; for (int i = 0; i < N; i++) { for (int j = 0; j < N; j++) printf("%6.2f", c[i][j]); puts(""); } return 0; }
