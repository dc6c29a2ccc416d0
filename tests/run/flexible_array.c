#include <stdio.h>
#include <stdlib.h>
struct v { int n; double d[]; }; static struct { int n; int d[]; } st = {2, {5, 6}};
int main(void) { struct v *v = malloc(sizeof *v + 4 * sizeof(double)); v->n = 4; for (int i = 0; i < 4; i++) v->d[i] = i * 1.5; double s = 0; for (int i = 0; i < v->n; i++) s += v->d[i]; printf("%g %d\n", s, st.d[1]); free(v); return 0; }
