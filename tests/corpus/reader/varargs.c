#include <stdarg.h>
#include <stdio.h>
struct big { long a, b, c; };
int sum(int n, ...) {
    va_list l, m;
    va_start(l, n);
    va_copy(m, l);
    int s = 0;
    for (int i = 0; i < n; i++) s += va_arg(l, int);
    s += (int)va_arg(m, double) + (int)va_arg(m, long long);
    struct big b = va_arg(m, struct big);
    long double d = va_arg(m, long double);
    va_end(l);
    va_end(m);
    return s + (int)b.c + (int)d;
}
int log_it(const char *f, ...) { va_list l; va_start(l, f); int r = vprintf(f, l); va_end(l); return r; }
int main(void) { return sum(2, 1, 2) + log_it("%d %s %f\n", 1, "two", 3.0); }
