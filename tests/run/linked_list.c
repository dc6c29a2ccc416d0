#include <stdio.h>
#include <stdlib.h>
struct n { int v; struct n *next; }; static struct n *push(struct n *h, int v) { struct n *n = malloc(sizeof *n); n->v = v; n->next = h; return n; } static struct n *rev(struct n *h) { struct n *r = 0; while (h) { struct n *t = h->next; h->next = r; r = h; h = t; } return r; }
int main(void) { struct n *h = 0; for (int i = 0; i < 6; i++) h = push(h, i * i); h = rev(h); for (struct n *p = h; p; p = p->next) printf("%d ", p->v); puts(""); while (h) { struct n *t = h; h = h->next; free(t); } return 0; }
