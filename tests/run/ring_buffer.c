#include <stdio.h>
struct ring { int d[4]; unsigned head, tail; }; static int put(struct ring *r, int v) { if (r->head - r->tail == 4) return 0; r->d[r->head++ % 4] = v; return 1; } static int get(struct ring *r, int *v) { if (r->head == r->tail) return 0; *v = r->d[r->tail++ % 4]; return 1; }
int main(void) { struct ring r = {{0}, ~0u - 1, ~0u - 1}; int v, ok = 0; for (int i = 0; i < 6; i++) ok += put(&r, i); while (get(&r, &v)) printf("%d ", v); printf("%d %u\n", ok, r.head); return 0; }
