#include <stdio.h>
int main(void) { long double a = 1.5L, b = 2.25L; a = a * b + 1; printf("%d %d\n", (int)a, a > b); double d = (double)(a / 2); printf("%g\n", d); long double s = 0; for (int i = 1; i <= 8; i++) s += i * 0.5L; printf("%g %Lf\n", (double)s, s); return (int)s; }
