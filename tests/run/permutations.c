#include <stdio.h>
static int n; static void perm(char *a, int k) { if (k == 1) { printf("%s ", a); n++; return; } for (int i = 0; i < k; i++) { perm(a, k - 1); int j = k % 2 ? 0 : i; char t = a[j]; a[j] = a[k - 1]; a[k - 1] = t; } }
int main(void) { char s[] = "abcd"; perm(s, 4); printf("\n%d\n", n); return n; }
