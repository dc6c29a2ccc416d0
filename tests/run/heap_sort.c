#include <stdio.h>
static void sift(int *a, int i, int n) { for (int c; (c = 2 * i + 1) < n; i = c) { if (c + 1 < n && a[c + 1] > a[c]) c++; if (a[i] >= a[c]) return; int t = a[i]; a[i] = a[c]; a[c] = t; } }
int main(void) { int a[20]; unsigned s = 1; for (int i = 0; i < 20; i++) { s = s * 1664525u + 1013904223u; a[i] = (int)(s >> 24); } for (int i = 9; i >= 0; i--) sift(a, i, 20); for (int n = 19; n > 0; n--) { int t = a[0]; a[0] = a[n]; a[n] = t; sift(a, 0, n); } for (int i = 0; i < 20; i++) printf("%d ", a[i]); puts(""); return 0; }
