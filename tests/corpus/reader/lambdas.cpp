#include <functional>
#include <variant>
#include <optional>
int apply(const std::function<int(int)> &f, int x) { return f(x); }
int closures(int a) { int b = 2; auto f = [=, &b](int c) { b += c; return a + b; }; return apply(f, 3) + b; }
std::optional<int> maybe(int x) { if (x) return x; return std::nullopt; }
int visit(std::variant<int, double> v) { return std::visit([](auto x) { return (int)x; }, v); }
constexpr int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int table[fib(10)];
