#include <stddef.h>
int sum(int n, int m, int a[n][m]) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += a[i][j]; return s; }
int make(int n) { int a[n][n + 1]; for (int i = 0; i < n; i++) a[i][i] = i; { char b[n]; b[0] = 1; a[0][0] += b[0]; } return sum(n, n + 1, a); }
struct flexible { int n; int data[]; };
struct flexible three = {3, {1, 2, 3}};
size_t size(struct flexible *f) { return sizeof *f + f->n * sizeof f->data[0]; }
