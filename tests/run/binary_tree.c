#include <stdio.h>
#include <stdlib.h>
struct t { int k; struct t *l, *r; }; static void ins(struct t **p, int k) { while (*p) p = k < (*p)->k ? &(*p)->l : &(*p)->r; *p = calloc(1, sizeof **p); (*p)->k = k; } static void walk(struct t *t, int d) { if (!t) return; walk(t->l, d + 1); printf("%d@%d ", t->k, d); walk(t->r, d + 1); } static int h(struct t *t) { if (!t) return 0; int a = h(t->l), b = h(t->r); return 1 + (a > b ? a : b); } static void fr(struct t *t) { if (t) { fr(t->l); fr(t->r); free(t); } }
int main(void) { struct t *r = 0; unsigned s = 7; for (int i = 0; i < 15; i++) { s = s * 1103515245u + 12345; ins(&r, (int)(s >> 16) % 100); } walk(r, 0); int x = h(r); printf("\n%d\n", x); fr(r); return x; }
