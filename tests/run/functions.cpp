#include <cstdio>
#include <functional>
#include <variant>
static int twice(int x) { return 2 * x; }
struct Add { int n; int operator()(int x) const { return x + n; } };
static std::function<int(int)> compose(std::function<int(int)> f, std::function<int(int)> g) { return [=](int x) { return f(g(x)); }; }
struct Lazy { int v; Lazy() : v(7) { std::puts("made"); } };
static int lazy() { static Lazy l; return l.v++; }
namespace outer { inline namespace v1 { int f() { return 1; } } int g(int x = 5) { return x; } }
enum class Colour : unsigned char { Red = 1, Blue = 200 };
int main() {
    std::printf("%d\n", compose(twice, Add{3})(4));
    std::function<int(int)> f;
    std::printf("%d\n", f ? 1 : 0);
    f = [n = 0](int x) mutable { return n += x; };
    f(5);
    std::printf("%d\n", f(6));
    std::printf("%d %d\n", lazy() + lazy(), outer::f() + outer::g());
    std::variant<int, double> v = 2.5;
    std::printf("%zu %g\n", v.index(), std::visit([](auto x) { return x * 2.0; }, v));
    std::printf("%d\n", static_cast<int>(Colour::Blue));
    int a[] = {1, 2, 3};
    int &r = a[1];
    r = 9;
    int &&rr = a[0] + a[1];
    std::printf("%d %d\n", a[1], rr);
    return 0;
}
