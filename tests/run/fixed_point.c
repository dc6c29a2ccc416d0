#include <stdio.h>
typedef int fx; static fx mul(fx a, fx b) { return (fx)((long)a * b >> 16); } static fx dv(fx a, fx b) { return (fx)(((long)a << 16) / b); }
int main(void) { fx a = 3 << 16 | 0x8000, b = -(1 << 16) - 0x4000; printf("%d %d %d\n", mul(a, b), dv(a, b), dv(b, a)); printf("%.4f\n", mul(a, a) / 65536.0); return 0; }
