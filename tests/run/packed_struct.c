#include <stdio.h>
#include <stddef.h>
struct __attribute__((packed)) p { char a; int b; short c; long d; }; struct n { char a; int b; short c; long d; }; static struct p g[2] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
int main(void) { printf("%lu %lu %lu %lu\n", sizeof(struct p), sizeof(struct n), offsetof(struct p, d), offsetof(struct n, d)); g[1].b += 100; g[0].d = -1; printf("%d %d %d %ld %d\n", g[0].a, g[1].b, g[0].c, g[0].d, g[1].a); return 0; }
