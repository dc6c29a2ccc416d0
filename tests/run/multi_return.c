#include <stdio.h>
struct res { int ok; double v; char msg[16]; }; static struct res parse(int x) { struct res r = {x > 0, x * 1.5, "neg"}; if (r.ok) { r.msg[0] = 'p'; r.msg[1] = 0; } return r; }
int main(void) { for (int i = -1; i < 2; i++) { struct res r = parse(i); printf("%d %g %s\n", r.ok, r.v, r.msg); } printf("%g\n", parse(4).v); return 0; }
