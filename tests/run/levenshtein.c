#include <stdio.h>
#include <string.h>
static int d(const char *a, const char *b) { int n = (int)strlen(a), m = (int)strlen(b), t[20][20]; for (int i = 0; i <= n; i++) for (int j = 0; j <= m; j++) { if (!i || !j) { t[i][j] = i + j; continue; } int s = t[i - 1][j - 1] + (a[i - 1] != b[j - 1]); if (t[i - 1][j] + 1 < s) s = t[i - 1][j] + 1; if (t[i][j - 1] + 1 < s) s = t[i][j - 1] + 1; t[i][j] = s; } return t[n][m]; }
int main(void) { printf("%d %d %d\n", d("kitten", "sitting"), d("", "abc"), d("same", "same")); return 0; }
