// Structures by value of every size class, and returned through sret.
struct s1 { char a; };
struct s3 { char a[3]; };
struct s8 { int a; float b; };
struct s12 { int a, b, c; };
struct s16 { double a; long b; };
struct s40 { long a[5]; };
struct mixed { char c; double d; struct s3 s; short t; };
struct s1 f1(struct s1 s) { s.a++; return s; }
struct s3 f3(struct s3 s) { s.a[1]++; return s; }
struct s8 f8(struct s8 s) { s.b *= 2; return s; }
struct s12 f12(struct s12 s) { s.c -= s.a; return s; }
struct s16 f16(struct s16 s) { s.a += s.b; return s; }
struct s40 f40(struct s40 s) { s.a[4] = s.a[0]; return s; }
struct mixed fm(struct mixed m, struct s40 s) { m.d += s.a[2]; return m; }
int use(void) {
    struct s40 s = {{1, 2, 3}};
    struct mixed m = fm((struct mixed){.c = 1, .d = 2.5}, f40(s));
    struct s12 t = f12((struct s12){1, 2, 3});
    return m.c + t.c + f8((struct s8){1, 2}).a + (int)f16((struct s16){1, 2}).b + f3((struct s3){"ab"}).a[0] + f1((struct s1){1}).a;
}
