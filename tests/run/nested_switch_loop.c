#include <stdio.h>
static int run(const char *s) { int depth = 0, max = 0, n = 0; for (;; s++) { switch (*s) { case 0: return max * 100 + n; case '(': if (++depth > max) max = depth; continue; case ')': switch (depth) { case 0: return -1; default: depth--; } break; case ' ': continue; default: if (*s >= 'a') n++; else goto bad; } if (n > 50) break; } return n; bad: return -2; }
int main(void) { printf("%d %d %d %d\n", run("(a(b)c)"), run("())"), run("A"), run("((x) (y z))")); return 0; }
