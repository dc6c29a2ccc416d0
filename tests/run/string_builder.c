#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct sb { char *p; size_t n, cap; }; static void add(struct sb *s, const char *t) { size_t k = strlen(t); while (s->n + k + 1 > s->cap) { s->cap = s->cap ? s->cap * 2 : 8; s->p = realloc(s->p, s->cap); } memcpy(s->p + s->n, t, k + 1); s->n += k; }
int main(void) { struct sb s = {0, 0, 0}; for (int i = 0; i < 20; i++) { char b[12]; sprintf(b, "%d,", i * i); add(&s, b); } printf("%s %lu %lu\n", s.p, s.n, s.cap); free(s.p); return 0; }
