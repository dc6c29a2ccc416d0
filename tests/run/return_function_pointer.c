#include <stdio.h>
static int inc(int x) { return x + 1; } static int dbl(int x) { return x * 2; } static int (*pick(int i))(int) { return i ? dbl : inc; } static int compose(int (*f)(int), int (*g)(int), int x) { return f(g(x)); } typedef int (*fn)(int); static fn arr[2][2] = {{inc, dbl}, {dbl, inc}};
int main(void) { printf("%d %d %d\n", pick(0)(5), pick(1)(5), compose(pick(0), pick(1), 10)); int s = 0; for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) s = arr[i][j](s); printf("%d\n", s); return 0; }
