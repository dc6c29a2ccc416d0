#include <stdio.h>
int main(void) { int stack[200], sp = 0, n = 3; stack[sp++] = 2; while (sp) { int m = stack[--sp]; if (m == 0) n++; else if (n == 0) { n = 1; stack[sp++] = m - 1; } else { n--; stack[sp++] = m - 1; stack[sp++] = m; } } printf("%d\n", n); return n; }
