#include <stdio.h>
struct empty {}; struct tail { int n; char d[0]; }; static struct empty e1, e2; static int take(struct empty e, int x) { (void)e; return x; }
int main(void) { (void)e2; printf("%lu %lu %d\n", sizeof(struct empty), sizeof(struct tail), take(e1, 4)); return 0; }
