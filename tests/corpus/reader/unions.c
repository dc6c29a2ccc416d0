union u { int i; float f; unsigned char b[8]; struct { short lo, hi; } s; };
union u table[] = {{.i = 5}, {.f = 1.5f}, {.b = {1, 2, 3}}, {.s = {1, 2}}};
static union { double d; long l; } cast;
float bits(int i) { union u u = {.i = i}; return u.f; }
long of(double d) { cast.d = d; return cast.l; }
union u by_value(union u u) { u.s.hi = 3; return u; }
