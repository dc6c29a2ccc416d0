#include <stdio.h>
static volatile int v = 3; static const int c[] = {1, 2, 3}; static volatile struct { int a; long b; } s;
int main(void) { v += 2; v++; s.a = v; s.b = s.a * 2L; int *p = (int *)&c[1]; printf("%d %d %ld %d\n", v, s.a, s.b, *p); for (volatile int i = 0; i < 3; i++) printf("%d", i); puts(""); return v; }
