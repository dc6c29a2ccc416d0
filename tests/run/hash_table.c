#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct e { char *k; int v; struct e *n; }; static struct e *t[16]; static unsigned h(const char *s) { unsigned x = 5381; while (*s) x = x * 33 + (unsigned char)*s++; return x % 16; } static int *get(const char *k) { struct e **p = &t[h(k)]; for (; *p; p = &(*p)->n) if (!strcmp((*p)->k, k)) return &(*p)->v; *p = calloc(1, sizeof **p); (*p)->k = strdup(k); return &(*p)->v; }
int main(void) { const char *w[] = {"the", "cat", "the", "dog", "cat", "the"}; for (int i = 0; i < 6; i++) ++*get(w[i]); printf("%d %d %d %d\n", *get("the"), *get("cat"), *get("dog"), *get("x")); for (int i = 0; i < 16; i++) while (t[i]) { struct e *e = t[i]; t[i] = e->n; free(e->k); free(e); } return 0; }
