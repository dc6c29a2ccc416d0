#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int ci(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); } static int cs(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); } struct r { int k; char v; }; static int cr(const void *a, const void *b) { return ((const struct r *)b)->k - ((const struct r *)a)->k; }
int main(void) { int a[] = {5, 2, 9, 1, 7, 3}; qsort(a, 6, sizeof *a, ci); for (int i = 0; i < 6; i++) printf("%d ", a[i]); int k = 7, *f = bsearch(&k, a, 6, sizeof *a, ci); printf("%ld ", (long)(f - a)); k = 4; printf("%d\n", bsearch(&k, a, 6, sizeof *a, ci) == 0); const char *s[] = {"pear", "apple", "fig"}; qsort(s, 3, sizeof *s, cs); printf("%s %s %s\n", s[0], s[1], s[2]); struct r r[] = {{1, 'a'}, {3, 'b'}, {2, 'c'}}; qsort(r, 3, sizeof *r, cr); printf("%c%c%c\n", r[0].v, r[1].v, r[2].v); return 0; }
