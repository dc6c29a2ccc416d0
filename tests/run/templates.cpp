#include <array>
#include <cstdio>
#include <utility>
template <typename T, int N> struct Stack { T items[N]; int n = 0; void push(T t) { items[n++] = t; } T pop() { return items[--n]; } };
template <typename T> T largest(T a) { return a; }
template <typename T, typename... R> T largest(T a, R... rest) { T b = largest(rest...); return a > b ? a : b; }
template <int N> struct Fib { static constexpr int value = Fib<N - 1>::value + Fib<N - 2>::value; };
template <> struct Fib<1> { static constexpr int value = 1; };
template <> struct Fib<0> { static constexpr int value = 0; };
struct Vec { double x, y; Vec operator+(const Vec &o) const { return {x + o.x, y + o.y}; } Vec &operator*=(double k) { x *= k; y *= k; return *this; } bool operator==(const Vec &o) const { return x == o.x && y == o.y; } };
int main() {
    Stack<double, 4> s;
    s.push(1.5);
    s.push(2.5);
    std::printf("%g %g\n", s.pop(), s.pop());
    std::printf("%d %g %d\n", largest(3, 9, 4), largest(1.5, 0.5), Fib<20>::value);
    Vec v{1, 2}, w = v + Vec{3, 4};
    w *= 2;
    std::printf("%g %g %d\n", w.x, w.y, v == Vec{1, 2});
    std::array<int, 5> a{5, 3, 1, 4, 2};
    int t = 0;
    for (auto x : a) t = t * 10 + x;
    auto add = [&t](int x) { t += x; return [=](int y) { return x * y; }; };
    std::printf("%d %d\n", add(7)(6), t);
    auto p = std::make_pair(1, 'c');
    auto [i, c] = p;
    std::printf("%d %c\n", i, c);
    return 0;
}
