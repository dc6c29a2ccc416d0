#include <stdio.h>
#define N 6
static const int g[N][N] = {{0, 7, 9, 0, 0, 14}, {7, 0, 10, 15, 0, 0}, {9, 10, 0, 11, 0, 2}, {0, 15, 11, 0, 6, 0}, {0, 0, 0, 6, 0, 9}, {14, 0, 2, 0, 9, 0}};
int main(void) { int d[N], done[N] = {0}; for (int i = 0; i < N; i++) d[i] = i ? 1000000 : 0; for (int k = 0; k < N; k++) { int u = -1; for (int i = 0; i < N; i++) if (!done[i] && (u < 0 || d[i] < d[u])) u = i; done[u] = 1; for (int v = 0; v < N; v++) if (g[u][v] && d[u] + g[u][v] < d[v]) d[v] = d[u] + g[u][v]; } for (int i = 0; i < N; i++) printf("%d ", d[i]); puts(""); return 0; }
