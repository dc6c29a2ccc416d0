#include <stdio.h>
static double root(double x) { double g = x / 2; for (int i = 0; i < 40; i++) g = (g + x / g) / 2; return g; }
int main(void) { for (int i = 1; i < 10; i++) printf("%.12f\n", root(i)); double e = 1, t = 1; for (int i = 1; i < 20; i++) { t /= i; e += t; } printf("%.14f\n", e); return 0; }
