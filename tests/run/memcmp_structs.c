#include <stdio.h>
#include <string.h>
struct k { short a; short b; int c; }; static int same(const struct k *x, const struct k *y) { return memcmp(x, y, sizeof *x) == 0; }
int main(void) { struct k a, b; memset(&a, 0, sizeof a); memset(&b, 0, sizeof b); a.a = b.a = 3; a.c = b.c = -1; printf("%d ", same(&a, &b)); b.b = 1; printf("%d\n", same(&a, &b)); char x[8] = {1, 2, 3}, y[8] = {1, 2, 4}; printf("%d %d\n", memcmp(x, y, 8) < 0, memcmp(x, y, 2)); return 0; }
