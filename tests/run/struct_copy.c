#include <stdio.h>
struct s { int a; char b[13]; double c; }; static void fill(struct s *p, int n) { p->a = n; for (int i = 0; i < 13; i++) p->b[i] = (char)('a' + (n + i) % 26); p->c = n / 3.0; }
int main(void) { struct s x[3], y; for (int i = 0; i < 3; i++) fill(&x[i], i * 5); y = x[1]; x[1] = x[2]; x[2] = y; for (int i = 0; i < 3; i++) printf("%d %.13s %g\n", x[i].a, x[i].b, x[i].c); return 0; }
