#include <stdio.h>
#include <stdarg.h>
static int vlog(const char *f, va_list l) { return vprintf(f, l); } static int logf_(const char *f, ...) { va_list l; va_start(l, f); int n = vlog(f, l); va_end(l); return n; } static int twice(int n, ...) { va_list a, b; va_start(a, n); va_copy(b, a); int s = 0; for (int i = 0; i < n; i++) s += va_arg(a, int); for (int i = 0; i < n; i++) s += 100 * va_arg(b, int); va_end(a); va_end(b); return s; }
int main(void) { int n = logf_("%d %s %c %.2f %ld %x\n", 5, "str", 'c', 2.5, 1L << 40, 255u); printf("%d %d\n", n, twice(3, 1, 2, 3)); return 0; }
