#include <stdio.h>
struct in { int a[3]; struct { char x; short y; } p; }; struct out { struct in i[2]; struct out *self; union { int n; char c[4]; }; };
int main(void) { struct out o = {{{{1, 2, 3}, {'a', 4}}, {{5, 6}, {'b', 7}}}, &o, {0x41424344}}; struct out q = o; q.i[1].a[2] = 9; printf("%d %d %c %d %c\n", o.self->i[0].a[1], q.i[1].a[2], q.i[1].p.x, o.i[1].a[2], o.c[0]); struct in *p = &o.i[1]; p->p.y += 3; printf("%d %lu\n", o.i[1].p.y, sizeof o); return 0; }
