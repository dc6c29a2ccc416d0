#include <stdio.h>
int main(void) { int i = 0, s = 0; again: s += i; if (++i < 5) goto again; if (s > 100) goto end; for (;;) { for (;;) { if (s++ > 20) goto out; } } out: printf("%d %d\n", i, s); goto inside; while (i < 8) { printf("x%d ", i); inside: i++; } end: printf("%d\n", i); return 0; }
