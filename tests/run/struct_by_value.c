#include <stdio.h>
struct a { char c; }; struct b { int x; short y; }; struct c { long p, q; }; struct d { long v[5]; }; struct e { float f; int i; }; struct f { double d; char c[3]; }; struct g { float x, y, z; };
static struct a fa(struct a s) { s.c++; return s; } static struct b fb(struct b s) { s.x *= 2; s.y--; return s; } static struct c fc(struct c s, int n) { s.p += n; s.q -= n; return s; }
static struct d fd(struct d s) { for (int i = 0; i < 5; i++) s.v[i] *= i; return s; } static struct e fe(struct e s) { s.f += s.i; return s; } static struct f ff(struct f s) { s.d = s.c[1]; return s; } static struct g fg(struct g s) { struct g r = {s.z, s.x, s.y}; return r; }
int main(void) {
    struct d d = {{1, 2, 3, 4, 5}}, d2 = fd(d); struct c c = fc((struct c){10, 20}, 3); struct b b = fb((struct b){7, 8}); struct e e = fe((struct e){1.5f, 2}); struct f f = ff((struct f){0, {1, 2, 3}}); struct g g = fg((struct g){1, 2, 3});
    printf("%d %d %d %ld %ld %ld %ld %g %g %g %g %g\n", fa((struct a){'x'}).c, b.x, b.y, c.p, c.q, d.v[4], d2.v[4], e.f, f.d, g.x, g.y, g.z); return 0;
}
