#include <stdio.h>
typedef struct { double re, im; } cplx; static cplx mul(cplx a, cplx b) { return (cplx){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
static cplx add(cplx a, cplx b) { return (cplx){a.re + b.re, a.im + b.im}; }
int main(void) { for (int y = -2; y <= 2; y++) { for (int x = -4; x <= 2; x++) { cplx c = {x * 0.5, y * 0.5}, z = {0, 0}; int n = 0; while (n < 20 && z.re * z.re + z.im * z.im < 4) { z = add(mul(z, z), c); n++; } printf("%3d", n); } puts(""); } return 0; }
