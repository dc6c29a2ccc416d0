#include <stdio.h>
#include <string.h>
int main(void) { char a[20], b[20]; memset(a, 'x', 19); a[19] = 0; memcpy(b, a, 20); memmove(b + 2, "hello", 5); puts(b); memmove(b + 1, b, 10); puts(b); printf("%d %d %d\n", memcmp("abc", "abd", 3) < 0, memcmp("abc", "abd", 2), memcmp("b", "a", 1) > 0); printf("%s\n", (char *)memchr(b, 'h', 19)); int x[4] = {1, 2, 3, 4}, y[4]; memcpy(y, x, sizeof x); memset(x, 0, sizeof x); memset(y + 1, 0xff, 4); printf("%d %d %d %d\n", x[3], y[0], y[1], y[2]); printf("%d\n", memchr("abc", 'z', 3) == 0); return 0; }
