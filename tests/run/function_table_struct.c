#include <stdio.h>
struct shape { double (*area)(const struct shape *); const char *(*name)(void); double a, b; }; static double rect(const struct shape *s) { return s->a * s->b; } static double circ(const struct shape *s) { return 3 * s->a * s->a; } static const char *rn(void) { return "rect"; } static const char *cn(void) { return "circ"; }
int main(void) { struct shape s[] = {{rect, rn, 2, 3}, {circ, cn, 2, 0}, {rect, rn, 1.5, 4}}; double t = 0; for (int i = 0; i < 3; i++) { t += s[i].area(&s[i]); printf("%s ", s[i].name()); } printf("%g\n", t); return 0; }
