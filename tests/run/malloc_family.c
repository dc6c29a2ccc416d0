#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) { int *a = malloc(4 * sizeof *a); for (int i = 0; i < 4; i++) a[i] = i; a = realloc(a, 8 * sizeof *a); for (int i = 4; i < 8; i++) a[i] = i * i; int s = 0; for (int i = 0; i < 8; i++) s += a[i]; printf("%d\n", s); free(a); char *c = calloc(10, 1); printf("%d %d\n", c[0], c[9]); free(c); free(0); char *d = strdup("copy"); d[0] = 'C'; puts(d); free(d); void *p = aligned_alloc(64, 128); printf("%d\n", (int)((unsigned long)p % 64)); free(p); void *q = realloc(0, 5); memset(q, 1, 5); free(q); return 0; }
