#include <stdio.h>
#include <stdlib.h>
struct b { unsigned a:3, b:5; int c:12; unsigned long d:40; };
static void fill(struct b *p) { p->a = 5; p->b = 9; p->c = -7; p->d = 123456789012UL; }
int main(void) {
  struct b s; s.a = 3; s.b = 17; s.c = -100; s.d = 99;
  printf("%u %u %d %lu\n", s.a, s.b, s.c, (unsigned long)s.d);
  struct b *h = malloc(sizeof *h); fill(h);
  printf("%u %u %d %lu\n", h->a, h->b, h->c, (unsigned long)h->d);
  struct { int x; char pad; } p, q; p.x = 1; q = p; 
  struct { unsigned one:1; } o; o.one = 1; printf("%u %d\n", o.one, q.x);
  return 0; }
