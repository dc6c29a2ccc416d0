#include <stdio.h>
static int buf[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
int main(void) { int *m = buf + 5, i = -3; short s = -2; signed char c = -5; long l = -1; unsigned u = 4; printf("%d %d %d %d %d\n", m[i], m[s], m[c], m[l], m[u]); printf("%d %d\n", *(m - 4), (&m[2])[-1]); char *p = (char *)&buf[9]; printf("%d\n", *(int *)(p - 8)); return 0; }
