#include <stdio.h>
struct p { int x, y; }; static int area(const struct p *a) { return a->x * a->y; } static int sum(const int *a, int n) { int s = 0; while (n--) s += *a++; return s; }
int main(void) { printf("%d %d\n", area(&(struct p){3, 4}), sum((int[]){1, 2, 3, 4}, 4)); struct p *q = &(struct p){.y = 5}; q->x = 2; printf("%d %s\n", area(q), (char[]){"lit"}); for (int i = 0; i < 2; i++) { int *a = (int[2]){i, i + 1}; printf("%d%d ", a[0], a[1]); } puts(""); return 0; }
