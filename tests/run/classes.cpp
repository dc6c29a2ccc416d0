#include <cstdio>
struct Shape { virtual ~Shape() { std::printf("~%s\n", name()); } virtual double area() const = 0; virtual const char *name() const { return "shape"; } };
struct Square : Shape { double a; explicit Square(double a) : a(a) {} double area() const override { return a * a; } const char *name() const override { return "square"; } };
struct Circle final : Shape { double r; explicit Circle(double r) : r(r) {} double area() const override { return 3 * r * r; } };
struct Left { int l = 1; virtual int f() { return l; } };
struct Right { int r = 2; virtual int g() { return r; } };
struct Both : Left, Right { int f() override { return l + 10; } int g() override { return r + 20; } };
struct Base { int v = 5; };
struct A : virtual Base { int a = 1; };
struct B : virtual Base { int b = 2; };
struct Diamond : A, B { int sum() { return v + a + b; } };
static int constructed;
struct Counted { Counted() { constructed++; } Counted(const Counted &) { constructed += 10; } ~Counted() { constructed--; } };
static Counted global_object;
int main() {
    Shape *s[] = {new Square(2), new Circle(1.5)};
    for (Shape *x : s) { std::printf("%s %g\n", x->name(), x->area()); delete x; }
    Both b;
    Left *l = &b;
    Right *r = &b;
    std::printf("%d %d %d\n", l->f(), r->g(), static_cast<Both *>(r) == &b);
    Diamond d;
    B *p = &d;
    std::printf("%d %d\n", d.sum(), p->v);
    { Counted c, e = c; std::printf("%d\n", constructed); }
    std::printf("%d\n", constructed);
    int Base::*m = &Base::v;
    int (Left::*f)() = &Left::f;
    std::printf("%d %d\n", d.*m, (l->*f)());
    return 0;
}
