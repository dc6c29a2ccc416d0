struct Shape { virtual ~Shape() {} virtual double area() const = 0; static int count; };
int Shape::count = 0;
struct Named { const char *name; Named(const char *n) : name(n) {} virtual const char *get() const { return name; } };
struct Circle : Shape, Named { double r; Circle(double r) : Named("circle"), r(r) { count++; } double area() const override { return 3.14 * r * r; } };
struct Base { int v = 1; };
struct Left : virtual Base { int l = 2; };
struct Right : virtual Base { int r = 3; };
struct Diamond : Left, Right { int d = 4; };
double total(Shape **s, int n) { double t = 0; for (int i = 0; i < n; i++) t += s[i]->area(); return t; }
int diamond() { Diamond d; return d.v + d.l + d.r + d.d; }
int (Base::*member) = &Base::v;
const char *(Named::*method)() const = &Named::get;
const char *call(const Named &n) { return (n.*method)(); }
static Circle unit(1.0);
Shape *make(double r) { return new Circle(r); }
void drop(Shape *s) { delete s; }
