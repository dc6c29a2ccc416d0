#include <stdio.h>
static int next(void) { static int n = 10; return n++; } static int *cell(int i) { static int c[4] = {1, 2, 3}; return &c[i]; } static const char *day(int d) { static const char *const names[] = {"mon", "tue", "wed"}; return names[d]; }
int main(void) { next(); next(); *cell(3) = 7; *cell(0) += 5; printf("%d %d %d %s\n", next(), *cell(3), *cell(0), day(2)); return 0; }
