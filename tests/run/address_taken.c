#include <stdio.h>
static void inc(int *p) { ++*p; } static void set(int **p, int *q) { *p = q; }
int main(void) { int a = 1, b = 10, *p = &a; int c = a; inc(&a); inc(p); printf("%d %d\n", a, c); set(&p, &b); inc(p); printf("%d %d\n", a, b); for (int i = 0; i < 3; i++) inc(&i), inc(&b); printf("%d\n", b); int **pp = &p; **pp = 5; printf("%d\n", b); return 0; }
