#include <stdio.h>
static _Thread_local int a = 5; static _Thread_local char buf[8] = "tls"; static int *addr(void) { return &a; } static _Thread_local struct { int x; int *p; } s;
int main(void) { a += 2; *addr() *= 3; buf[0] = 'T'; s.x = 4; s.p = &s.x; *s.p += 1; printf("%d %s %d\n", a, buf, s.x); return a; }
