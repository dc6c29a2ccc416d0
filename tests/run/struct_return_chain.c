#include <stdio.h>
struct v { int x, y, z; }; static struct v mk(int a) { return (struct v){a, a + 1, a + 2}; } static struct v plus(struct v a, struct v b) { return (struct v){a.x + b.x, a.y + b.y, a.z + b.z}; } static int dot(struct v a, struct v b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
int main(void) { printf("%d\n", dot(plus(mk(1), mk(2)), plus(mk(3), plus(mk(4), mk(5))))); return mk(9).y; }
