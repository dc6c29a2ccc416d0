#include <stdio.h>
#include <stdlib.h>
struct ctx { int sum, count; }; static void each(const int *a, int n, void (*f)(int, void *), void *arg) { for (int i = 0; i < n; i++) f(a[i], arg); } static void acc(int v, void *arg) { struct ctx *c = arg; c->sum += v; c->count++; } static void neg(int v, void *arg) { int **p = arg; *(*p)++ = -v; }
int main(void) { int a[] = {3, 1, 4, 1, 5}, b[5], *p = b; struct ctx c = {0, 0}; each(a, 5, acc, &c); each(a, 5, neg, &p); printf("%d %d %d %ld\n", c.sum, c.count, b[4], (long)(p - b)); return 0; }
